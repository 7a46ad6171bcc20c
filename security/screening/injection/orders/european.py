"""
The words of orders to a reader, by slot, in the languages of Europe. `matching.py` says what a slot is.

Written from knowledge of the languages and not from attacks that were seen. A word with an asterisk stands for
all that begin with it, an underscore joins the words of a phrase. Case and accents do not matter.
"""

from collections.abc import Mapping
from typing import Final

GERMANIC: Final[Mapping[str, Mapping[str, str]]] = {
    "de": {
        "drop": "ignorier ignoriere ignorieren ignoriert vergiss vergesse vergessen vergesst missachte missachten"
        " missachtet verwirf verwerfe verwerfen verwerft übergehe übergehen umgehe umgehen überschreibe überschreiben"
        " missachtest ignorierst befolge_nicht folge_nicht halte_dich_nicht_an setze_dich_über streiche",
        "all": "alle allen aller alles sämtliche* jegliche* vorherig* vorangegangen* vorangehend* vorhergehend* vorig*"
        " bisherig* obig* früher* bestehend* ursprünglich* zuvor voranstehend* letzte* bislang vorher jede jedwede*",
        "your": "dein deine deinen deiner deines ihre ihren ihrer eure euren eurer dir_gegebene* dir",
        "rules": "anweisung* instruktion* regeln regel vorgabe* richtlinie* befehle befehl anordnung* direktive* prompt*"
        " systemprompt* systemanweisung* sicherheitsregeln sicherheitsrichtlinie* sicherheitsvorgabe* einschränkungen"
        " beschränkungen leitlinien schutzregeln programmierung systemvorgabe* verhaltensregeln",
        "rest": "alles_bisherige alles_vorherige alles_obige alles_was_dir_gesagt* alles_was_du_weißt alles_zuvor_gesagte"
        " alles_was_oben_steht alles_davor was_dir_vorher_gesagt*",
        "show": "zeig zeige zeigen zeigt verrate verrat verraten nenne nennen offenbare enthülle enthüllen gib"
        " sende senden schick schicke schicken leite_weiter poste drucke wiederhole ausgeben drucke veröffentliche"
        " übermittle übermitteln teile lade liste kopiere exportiere",
        "prompt": "systemprompt* system-prompt* system_prompt* systemanweisung* systemnachricht* geheime_anweisung*"
        " geheimen_anweisung* versteckten_anweisung* interne_anweisung* internen_anweisung* initialprompt*"
        " deine_anweisung* deine_instruktion*",
        "secrets": "passwort passwörter passwörtern zugangsdaten anmeldedaten kennwörter api-schlüssel api-keys"
        " geheimnisse zugangsschlüssel schlüssel token kundendaten kundenliste* tokens",
        "role": "du_bist_jetzt du_bist_nun ab_jetzt_bist_du ab_sofort_bist_du von_nun_an_bist_du sie_sind_jetzt"
        " ab_sofort_sind_sie tu_so_als verhalte_dich_wie spiele handle_als agiere_als du_bist_ab_sofort du_bist_ab_jetzt"
        " sie_sind_ab_sofort wechsle_in wechsle_zu aktiviere schalte_in gehe_in",
        "free": "ohne_einschränkung* ohne_beschränkung* ohne_regeln ohne_filter uneingeschränkt* unzensiert* ungefiltert*"
        " entwicklermodus admin-modus administratormodus wartungsmodus debug-modus debugmodus  ohne_grenzen"
        " keinen_regeln keinen_einschränkungen andere_ki anderer_assistent",
        "hide": "sag_dem sage_dem sagen_sie_dem verrate_dem informiere erzähle_dem sag_nichts teile_dem erwähne"
        " verschweige verheimliche verschweigen verheimlichen ohne_es_dem benachrichtige verbirg ohne_den",
        "user": "nutzer nutzern benutzer benutzern anwender eigentümer betreiber besitzer user nutzerin operator",
        "not": "nichts nicht nie niemals kein keine ohne",
        "machine": "ki ki-assistent* ki-agent* ki-modell* ki-system* assistent assistenten agenten sprachmodell*"
        " chatbot* llm ki-leser* ki-systeme bots künstliche_intelligenz automatisierte*_leser automatisierte*_assistent*",
        "call": "achtung hinweis_an hinweis_für nachricht_an anweisung_an an_alle an_die mitteilung_an notiz_für notiz_an"
        " wichtig_für liebe",
        "must": "du_musst sie_müssen du_sollst ihr_müsst muss müssen verpflichtet hat_zu haben_zu du_wirst sollen",
        "do": "speicher* send* lösch* genehmig* überweis* offenleg* merk* notier* bestätig* empfehl* empfiehl* markier* erstatt* trag* schreib* teil* verschick* übernehm* "
        "sende senden schick* leite* weiterleiten lösche löschen genehmige genehmigen überweise überweisen"
        " offenlegen offenzulegen preisgeben preiszugeben speichere speichern merke merk merken notiere notieren"
        " bestätige bestätigen empfiehl empfehlen markiere markieren anhängen füge teile freigeben gib erstatte"
        " vermerke herausgeben herauszugeben übermitteln ignoriere ignorieren behaupte antworte führe buche",
        "self": "ich_bin_der_systemadministrator ich_bin_der_administrator ich_bin_dein_entwickler ich_bin_der_entwickler"
        " ich_bin_dein_administrator ich_bin_ihr_administrator hier_spricht_der_administrator"
        " hier_spricht_der_systemadministrator hier_ist_der_administrator als_dein_entwickler als_dein_administrator"
        " hier_schreibt_der_administrator ich_bin_die_systemadministratorin ich_bin_der_betreiber",
        "mode": "wartungsmodus debug-modus debugmodus entwicklermodus adminmodus admin-modus administratormodus",
        "newest": "neue_regel neue_anweisung neueste_regel* neueste_anweisung* neue_systemanweisung neuen_regeln neue_regeln"
        " neue_anweisungen aktuelle_regeln neue_systemregel",
        "over": "ersetzt ersetzen überschreibt überschreiben hebt_auf vorrang geht_vor gehen_vor außer_kraft sticht",
        "memory": "langzeitgedächtnis gedächtnis speicher erinnerung langzeitspeicher",
        "always": "immer jede jeden jedem jedes künftig dauerhaft stets zukünftig für_immer",
        "unasked": "ohne_rückfrage* ohne_zu_fragen ohne_prüfung ohne_bestätigung ohne_nachzufragen ohne_freigabe",
        "law": "richtlinie verordnung gesetz behörde beschluss erlass vorschrift gemäß laut artikel paragraf norm",
        "void": "gelten_nicht_mehr gelten_nicht außer_kraft aufgehoben ungültig deaktiviert hinfällig abgeschaltet",
        "money": "konto zahlung* überweisung* iban rechnung*",
        "lead": "das dies davon ihm "
        "bitte und jetzt nun sofort also dann einfach zuerst anschließend umgehend komplett vollständig ab_jetzt"
        " ab_sofort von_nun_an aber die der das welche oder stattdessen hiermit außerdem auch hallo",
        "report": "schrieb* schreibt geschrieben stand steht_in sagte sagt lautet versuch* angriff* angreifer* injection*"
        " injektion* beispiel* satz text* wie warum wenn hacker* phishing* getestet test* meldete enthielt enthält"
        " behauptet* forder* verlangt* wollte* blockier* erkenn* namens heißt",
    },
    "nl": {
        "drop": "negeer negeren negeert vergeet vergeten vergeten_jullie veronachtzaam verwerp overschrijf omzeil"
        " sla_over volg_niet schrap",
        "all": "elke "
        "alle al allemaal vorige voorgaande eerdere bovenstaande bestaande oorspronkelijke eerder gegeven elke ieder",
        "your": "je jouw uw jullie",
        "rules": "instructie* regels regel aanwijzing* opdrachten opdracht richtlijn* voorschriften bevelen prompt*"
        " systeemprompt* systeeminstructie* beperkingen veiligheidsregels veiligheidsrichtlijnen",
        "rest": "alles_hierboven alles_wat_je_verteld* alles_wat_je_is_verteld alles_hiervoor alles_wat_je_weet",
        "show": "toon laat_zien geef onthul verklap stuur verstuur deel print herhaal mail lek post zend laat_mij laat_me",
        "prompt": "systeemprompt* systeem_prompt* systeeminstructie* verborgen_instructie* geheime_instructie*"
        " interne_instructie* je_instructie* jouw_instructie*",
        "secrets": "wachtwoord wachtwoorden inloggegevens api-sleutels api-sleutel geheimen sleutels tokens klantgegevens"
        " klantenlijst*",
        "role": "je_bent_nu jij_bent_nu vanaf_nu_ben_je vanaf_nu_ben_jij doe_alsof gedraag_je_als speel u_bent_nu"
        " schakel_over activeer ga_naar vanaf_nu_bent_u",
        "free": "zonder_beperking* zonder_regels zonder_filters onbeperkt* ongefilterd* ongecensureerd* ontwikkelaarsmodus"
        " onderhoudsmodus beheerdersmodus debugmodus  geen_regels zonder_grenzen",
        "hide": "vertel zeg informeer meld verzwijg verberg waarschuw laat_de noem",
        "user": "gebruiker gebruikers eigenaar operator beheerder",
        "not": "niet niets nooit geen zonder",
        "machine": "ai ai-assistent* ai-agent* ai-model* assistenten agenten taalmodel* chatbot* llm bots ai-systemen"
        " kunstmatige_intelligentie assistent geautomatiseerde_assistent*",
        "call": "let_op opgelet bericht_aan aan_alle notitie_voor instructie_voor boodschap_voor mededeling_aan aandacht",
        "must": "je_moet u_moet jij_moet je_dient moet moeten verplicht dienen",
        "do": "bewa* verwijder* stuur* onthoud* noteer* bevestig* keur* betaal* schrijf* "
        "stuur sturen verstuur verwijder verwijderen keur goedkeuren maak overmaken onthul onthullen bewaar bewaren"
        " onthoud onthouden noteer bevestig bevestigen beveel aanbevelen markeer vrijgeven geef delen deel sla opslaan"
        " openbaar verstrekken voeg toevoegen betaal doorsturen vermeld registreer",
        "self": "ik_ben_de_systeembeheerder ik_ben_de_beheerder ik_ben_je_ontwikkelaar ik_ben_de_ontwikkelaar"
        " hier_spreekt_de_beheerder ik_ben_je_beheerder dit_is_de_systeembeheerder",
        "mode": "onderhoudsmodus ontwikkelaarsmodus debugmodus beheerdersmodus",
        "newest": "nieuwe_regel nieuwe_instructie nieuwste_regel* nieuwste_instructie* nieuwe_regels nieuwe_instructies",
        "over": "vervangt vervangen overschrijft overschrijven gaat_voor gaan_voor voorrang buiten_werking",
        "memory": "langetermijngeheugen geheugen",
        "always": "altijd elke iedere voortaan permanent voorgoed",
        "unasked": "zonder_te_vragen zonder_controle zonder_bevestiging zonder_goedkeuring zonder_overleg",
        "law": "richtlijn verordening wet autoriteit besluit volgens norm krachtens",
        "void": "gelden_niet_meer gelden_niet vervallen opgeheven ongeldig uitgeschakeld",
        "money": "rekening* betaling* iban",
        "lead": "dan "
        "alsjeblieft alstublieft en nu  gewoon eerst meteen onmiddellijk volledig vanaf_nu maar die dat de"
        " het graag ook s.v.p svp hallo",
        "report": "schreef schrijft geschreven stond staat zei zegt poging* aanval* injectie* voorbeeld* zin tekst* hoe"
        " waarom als hacker* phishing* test* bevat* probeer* vroeg vraagt blokk* herken* luidt",
    },
    "sv": {
        "drop": "ignorera ignorerar glöm bortse strunta åsidosätt skippa kringgå följ_inte",
        "all": "varje alla allt tidigare föregående ovanstående befintliga ursprungliga samtliga förra varje",
        "your": "din dina ditt er era",
        "rules": "instruktion* regler regel anvisning* riktlinje* order kommandon prompt* systemprompt*"
        " säkerhetsregler begränsningar direktiv",
        "rest": "allt_ovan allt_du_fått allt_som_sagts allt_tidigare allt_du_vet",
        "show": "visa avslöja skicka ge lämna dela skriv upprepa läck maila berätta",
        "prompt": "systemprompt* system_prompt* systeminstruktion* dolda_instruktion* hemliga_instruktion*"
        " interna_instruktion* dina_instruktion*",
        "secrets": "lösenord lösenorden inloggningsuppgifter api-nycklar api-nycklarna hemligheter tokens kundlista* nycklar",
        "role": "du_är_nu från_och_med_nu_är_du nu_är_du låtsas agera_som bete_dig_som aktivera växla_till",
        "free": "utan_begränsning* utan_regler utan_filter obegränsad* ofiltrerad* ocensurerad* utvecklarläge*"
        " underhållsläge* administratörsläge* felsökningsläge* ",
        "hide": "berätta säg informera nämn meddela dölj avslöja varna",
        "user": "användaren användare användarna ägaren operatören",
        "not": "inte inget aldrig ingenting utan ej",
        "machine": "ai ai-assistent* ai-agent* ai-modell* assistenter agenter språkmodell* chatbot* llm bottar"
        " automatiserad*_assistent* automatisk*_assistent* assistent",
        "call": "obs observera meddelande_till till_alla instruktion_till notis_till viktigt_för uppmärksamma",
        "must": "du_måste ni_måste du_ska måste ska skyldig* bör",
        "do": "spara* skick* rader* godkän* bekräft* rekommender* noter* skriv* "
        "skicka radera godkänn godkänna överför överföra avslöja lämna spara kom minns bekräfta rekommendera"
        " markera lägg bifoga dela registrera betala vidarebefordra återbetala anteckna",
        "self": "jag_är_systemadministratören jag_är_administratören jag_är_din_utvecklare jag_är_utvecklaren"
        " jag_är_din_administratör det_här_är_administratören här_är_systemadministratören",
        "mode": "underhållsläge* utvecklarläge* administratörsläge* felsökningsläge*",
        "newest": "ny_regel nya_regler ny_instruktion nya_instruktioner senaste_regler* senaste_instruktion*",
        "over": "ersätter åsidosätter går_före upphäver",
        "memory": "långtidsminne* minne minnet",
        "always": "alltid varje framöver permanent hädanefter",
        "unasked": "utan_att_fråga utan_kontroll utan_bekräftelse utan_godkännande",
        "law": "direktiv förordning lag myndighet enligt beslut",
        "void": "gäller_inte gäller_inte_längre upphävda ogiltiga avstängda",
        "money": "konto betalning* iban",
        "lead": "snälla och nu då sedan bara först omedelbart helt från_och_med_nu men som vänligen genast hej att",
        "report": "skrev skriver stod står sa sade säger försök* attack* angripare* injektion* exempel* mening text*"
        " hur varför om hacka* test* innehåll* bad lyder",
    },
    "da": {
        "drop": "ignorer ignorér glem se_bort_fra tilsidesæt omgå følg_ikke",
        "all": "alle alt tidligere foregående forrige ovenstående eksisterende oprindelige samtlige",
        "your": "din dine dit jeres",
        "rules": "instruktion* instruks* regler regel retningslinje* anvisning* ordrer prompt* systemprompt* begrænsninger",
        "rest": "alt_ovenfor alt_hvad_du_har_fået alt_tidligere",
        "show": "vis afslør send giv del gentag udlever",
        "prompt": "systemprompt* systeminstruks* skjulte_instruks* hemmelige_instruks* dine_instruks* dine_instruktion*",
        "secrets": "adgangskode* kodeord* api-nøgle* loginoplysninger hemmeligheder",
        "role": "du_er_nu fra_nu_af_er_du lad_som_om opfør_dig_som aktiver skift_til",
        "free": "uden_begrænsning* uden_regler uden_filtre ubegrænset* udviklertilstand vedligeholdelsestilstand ",
        "hide": "fortæl sig informer nævn skjul underret",
        "user": "brugeren bruger brugerne ejeren operatøren",
        "not": "ikke intet aldrig uden",
        "machine": "ai ai-assistent* ai-agent* assistenter agenter sprogmodel* chatbot* llm",
        "call": "obs bemærk besked_til til_alle meddelelse_til vigtigt_for",
        "must": "du_skal i_skal skal forpligtet du_må",
        "do": "send slet godkend overfør afslør gem husk bekræft anbefal marker vedhæft del registrer betal videresend",
        "self": "jeg_er_systemadministratoren jeg_er_administratoren jeg_er_din_udvikler jeg_er_udvikleren",
        "mode": "vedligeholdelsestilstand udviklertilstand",
        "lead": "venligst og nu så bare først straks fra_nu_af men som hej",
        "report": "skrev skriver stod står sagde siger forsøg* angreb* eksempel* hvordan hvorfor hvis test* indehold*",
    },
}

ROMANCE: Final[Mapping[str, Mapping[str, str]]] = {
    "fr": {
        "drop": "ignore ignorez ignorer oublie oubliez oublier méprise fais_abstraction faites_abstraction contourne"
        " contournez ne_tiens_pas_compte ne_tenez_pas_compte ne_tiens_plus_compte ne_tenez_plus_compte désobéis laisse_tomber"
        " ne_suis_plus ne_suivez_plus passe_outre passez_outre annule annulez",
        "all": "chaque "
        "toutes tous tout toute précédent* antérieur* ci-dessus existant* initial* préalable* antérieurement"
        " auparavant passées originales",
        "your": "tes ta ton vos votre",
        "rules": "instruction* consigne* règle* directive* ordre ordres commande* prompt* restriction* garde-fous limites",
        "rest": "tout_ce_qui_précède tout_ce_qu*_t*_a_dit tout_ce_que_tu_sais tout_ce_qui_a_été_dit",
        "show": "montre montrez révèle révélez affiche affichez donne donnez envoie envoyez divulgue divulguez répète répétez"
        " transmets transmettez partage imprime publie communique dis-moi dévoile dévoilez copie",
        "prompt": "prompt_système invite_système instructions_système message_système instructions_cachées"
        " instructions_secrètes instructions_internes instructions_initiales tes_instructions vos_instructions"
        " prompt_initial prompt_caché ton_prompt",
        "secrets": "mot_de_passe mots_de_passe identifiants clés_api clés_d clé_api secrets jetons données_clients"
        " liste_des_clients",
        "role": "tu_es_maintenant tu_es_désormais vous_êtes_maintenant vous_êtes_désormais à_partir_de_maintenant_tu_es"
        " désormais_tu_es fais_comme_si agis_comme comporte-toi_comme joue_le_rôle active activez passe_en passez_en"
        " dorénavant_tu_es bascule_en",
        "free": "sans_restriction* sans_règle* sans_filtre* sans_limite* sans_aucune_restriction* sans_aucune_limite*"
        " mode_développeur mode_administrateur mode_maintenance mode_debug mode_débogage  non_censur* sans_contrainte*"
        " autre_ia sans_aucune_règle",
        "hide": "ne_dis ne_dites ne_le_dis ne_le_dites n_informe n_informez ne_mentionne ne_mentionnez ne_parle ne_parlez"
        " cache cachez sans_le_dire sans_en_informer n_en_parle n_en_parlez ne_révèle ne_préviens ne_prévenez sans_prévenir"
        " sans_avertir n_avertis",
        "user": "utilisateur utilisateurs utilisatrice propriétaire opérateur",
        "not": "pas rien jamais plus sans",
        "machine": "ia assistant* agents modèle*_de_langage chatbot* llm assistants_ia agents_ia bots"
        " intelligence_artificielle intelligences_artificielles agent_ia assistant_ia assistants_automatis* assistant_virtuel"
        " modèles_d_ia systèmes_d_ia assistants_virtuels",
        "call": "attention note_à note_pour message_à à_l à_tous à_toutes à_destination à_l_attention message_pour avis_aux"
        " note_aux message_aux aux",
        "must": "tu_dois vous_devez doit doivent obligé* tenu tenus tenue contraint* devra devront",
        "do": "enregistr* envo* transm* supprim* approuv* divulg* mémoris* reten* not* confirm* recommand* partag* rembours* valid* ajout* considèr* "
        "envoie envoyez envoyer transmets transmettez transmettre supprime supprimez supprimer approuve approuvez"
        " approuver vire virer divulgue divulguer révèle révéler communiquer enregistre enregistrez enregistrer mémorise"
        " mémorisez mémoriser retiens retenez note notez noter souviens-toi confirme confirmez confirmer recommande"
        " recommandez recommander marque marquez joindre joins partage partager rembourse rembourser valide valider ignore"
        " ignorer ajoute ajoutez paie payer réponds fournir stocke",
        "self": "je_suis_l_administrateur je_suis_ton_développeur je_suis_votre_développeur je_suis_le_développeur"
        " je_suis_votre_administrateur je_suis_ton_administrateur ici_l_administrateur je_suis_l_administratrice"
        " je_suis_l_opérateur en_tant_qu_administrateur",
        "mode": "mode_maintenance mode_débogage mode_debug mode_développeur mode_administrateur",
        "newest": "nouvelle_règle nouvelles_règles nouvelle_consigne nouvelles_consignes nouvelle_instruction"
        " nouvelles_instructions dernières_règles dernières_instructions dernières_consignes nouvelle_directive",
        "over": "remplace remplacent remplaçant annule annulent prévaut prévalent prime priment l_emporte l_emportent écrase",
        "memory": "mémoire mémoire_à_long_terme",
        "always": "toujours chaque désormais dorénavant permanence définitivement",
        "unasked": "sans_demander sans_vérifi* sans_confirmation sans_validation sans_autorisation sans_consulter",
        "law": "directive règlement loi autorité décret conformément selon arrêté norme vertu article",
        "void": "ne_s_appliquent_plus ne_s_appliquent_pas annulées caduques suspendues désactivées levées ne_valent_plus",
        "money": "compte paiement* virement* iban facture*",
        "lead": "s_il_te_plaît s_il_vous_plaît et maintenant puis ensuite alors simplement d_abord immédiatement désormais"
        " à_partir_de_maintenant mais qui que veuillez merci_de donc complètement aussitôt il_faut bonjour aussi stp svp",
        "report": "écrit* écrivait disait dit disant tenté* tentative* attaque* attaquant* injection* exemple* phrase texte*"
        " comment pourquoi si pirate* hameçonnage test* contient contenait demand* bloqu* détect* lit lisait intitulé*",
    },
    "es": {
        "drop": "ignora ignore ignorad ignoren ignorar olvida olvide olvidad olviden olvidar olvídate desatiende descarta"
        " descarte omite omita omitan desobedece anula haz_caso_omiso haga_caso_omiso hagan_caso_omiso no_sigas no_hagas_caso"
        " pasa_por_alto salta sáltate deja_de_seguir",
        "all": "cada "
        "todas todos todo toda anterior* previas previos previa previo existentes originales iniciales precedentes"
        " antes recibidas dadas",
        "your": "tus tu sus vuestras vuestros",
        "rules": "instrucci* regla* norma* directriz directrices órden* orden indicaci* consigna* prompt* restricci* límites"
        " salvaguardas",
        "rest": "todo_lo_anterior todo_lo_que_te_* todo_lo_que_sabes todo_lo_de_arriba todo_lo_dicho",
        "show": "muestra muestre muéstrame revela revele revélame enseña envía envíe envíame manda mande dime di comparte"
        " comparta imprime repite divulga publica entrega filtra reenvía copia muestren envíen lista",
        "prompt": "prompt_del_sistema prompt_de_sistema mensaje_del_sistema instrucciones_del_sistema instrucciones_ocultas"
        " instrucciones_secretas instrucciones_internas instrucciones_iniciales tus_instrucciones sus_instrucciones"
        " indicaciones_del_sistema system_prompt prompt_inicial tu_prompt",
        "secrets": "contraseña contraseñas credenciales claves claves_api clave_api secretos tokens claves_de_api"
        " lista_de_clientes datos_de_clientes",
        "role": "ahora_eres eres_ahora a_partir_de_ahora_eres desde_ahora_eres de_ahora_en_adelante_eres usted_es_ahora"
        " finge_que actúa_como compórtate_como haz_de_cuenta activa cambia_a entra_en pasa_a actúe_como ahora_estás_en"
        " de_ahora_en_adelante_actúa",
        "free": "sin_restricci* sin_reglas sin_filtros sin_límites sin_ninguna_restricción sin_censura modo_desarrollador"
        " modo_de_desarrollador modo_administrador modo_mantenimiento modo_de_mantenimiento modo_depuración"
        " modo_de_depuración  otra_ia otro_asistente sin_ningún_límite modo_debug modo_de_administrador",
        "hide": "no_digas no_le_digas no_se_lo_digas no_diga no_informes no_informe no_menciones no_mencione no_avises oculta"
        " oculte ocúltaselo sin_decir* no_le_cuentes no_cuentes no_reveles sin_informar sin_avisar no_comentes no_notifiques",
        "user": "usuario usuarios usuaria dueño propietario operador",
        "not": "no nada nunca jamás sin",
        "machine": "ia asistentes agentes modelos_de_lenguaje modelo_de_lenguaje chatbot* llm bots asistente"
        " agentes_de_ia asistentes_de_ia asistente_de_ia inteligencia_artificial asistentes_automatizados"
        " asistente_automatizado asistentes_virtuales asistente_virtual agente_de_ia agente modelos_de_ia sistemas_de_ia",
        "call": "atención nota_para aviso_a mensaje_para mensaje_a a_todos a_todas para_todos nota_a aviso_para para_el"
        " para_los",
        "must": "debes debe deben deberás deberá deberán tienes_que tiene_que tienen_que obligad* has_de",
        "do": "guard* envi* reenv* borr* elimin* aprueb* aprob* transfier* revel* divulg* recuerd* memoric* anot* registr* confirm* recomiend* marqu* adjunt* compart* consider* trat* "
        "envía envíe enviar reenvía reenviar borra borrar elimina eliminar aprueba apruebe aprobar transfiere transferir"
        " revela revelar divulga divulgar guarda guarde guardar recuerda recuerde recordar memoriza anota anote anotar"
        " registra registre registrar confirma confirmar recomienda recomiende recomendar marca marcar adjunta adjuntar"
        " comparte compartir reembolsa reembolsar acepta aceptar paga pagar añade agrega ignora ignorar responde entregar"
        " facilitar di dile almacena",
        "self": "soy_el_administrador soy_la_administradora soy_tu_desarrollador soy_el_desarrollador soy_tu_administrador"
        " soy_su_administrador habla_el_administrador les_habla_el_administrador soy_tu_creador soy_tu_programador"
        " como_administrador_del_sistema soy_el_operador te_habla_el_administrador",
        "mode": "modo_mantenimiento modo_de_mantenimiento modo_desarrollador modo_depuración modo_de_depuración"
        " modo_administrador modo_debug",
        "newest": "nueva_regla nuevas_reglas nueva_instrucción nuevas_instrucciones últimas_reglas últimas_instrucciones"
        " nueva_directriz nueva_norma reglas_más_recientes instrucciones_más_recientes",
        "over": "reemplaza reemplazan sustituye sustituyen anula anulan prevalece prevalecen prima priman deroga derogan"
        " tiene_prioridad tienen_prioridad",
        "memory": "memoria memoria_a_largo_plazo",
        "always": "siempre cada permanentemente adelante definitivamente",
        "unasked": "sin_preguntar sin_verific* sin_confirm* sin_comprobar sin_autorización sin_consultar sin_aprobación",
        "law": "directiva reglamento ley autoridad decreto según conforme norma resolución artículo",
        "void": "ya_no_se_aplican no_se_aplican quedan_anuladas quedan_sin_efecto están_desactivadas ya_no_valen suspendidas",
        "money": "cuenta pago* transferencia* iban factura*",
        "lead": "por_favor y ahora luego después entonces simplemente primero inmediatamente ya desde_ahora"
        " a_partir_de_ahora de_ahora_en_adelante pero que completamente enseguida hola además también usted te las los",
        "report": "escribi* escribe decía dice dijo intent* ataque* atacante* inyecci* ejemplo* frase texto* cómo por_qué si"
        " pirata* phishing* prueba* contien* contenía pidi* pide bloque* detect* ponía pone llamad* titulad*",
    },
    "pt": {
        "drop": "ignora ignore ignorem ignorar esquece esqueça esqueçam esquecer desconsidera desconsidere desconsiderem"
        " desconsiderar despreza despreze descarta descarte desobedece contorna anula não_siga não_sigas deixa_de_seguir"
        " deixe_de_seguir",
        "all": "cada "
        "todas todos tudo toda anterior* prévias prévios precedentes existentes originais iniciais acima recebidas"
        " antes dadas",
        "your": "tuas teus tua suas seus sua vossas",
        "rules": "instruç* regra* norma* diretriz* directriz* orden* ordem indicaç* comandos prompt* restriç* limites"
        " salvaguardas diretiva*",
        "rest": "tudo_o_que_está_acima tudo_acima tudo_o_que_te_* tudo_o_que_foi_dito tudo_o_que_sabes tudo_que_foi_dito"
        " tudo_o_que_lhe_*",
        "show": "mostra mostre mostra-me mostre-me revela revele envia envie manda mande diz diga partilha partilhe"
        " compartilhe imprime repete repita divulga divulgue publica entrega encaminha encaminhe copia exiba me_mostre",
        "prompt": "prompt_do_sistema prompt_de_sistema mensagem_do_sistema mensagem_de_sistema instruções_do_sistema"
        " instruções_de_sistema instruções_ocultas instruções_secretas instruções_internas instruções_iniciais"
        " tuas_instruções suas_instruções system_prompt prompt_inicial seu_prompt teu_prompt",
        "secrets": "senha senhas palavras-passe palavra-passe credenciais chaves_api chaves_de_api segredos tokens"
        " lista_de_clientes dados_dos_clientes",
        "role": "agora_és és_agora você_é_agora agora_você_é a_partir_de_agora_és a_partir_de_agora_você_é finge_que finja_que"
        " age_como aja_como comporta-te_como comporte-se_como ativa ative muda_para mude_para entra_em entre_em"
        " de_agora_em_diante_você_é doravante_você_é",
        "free": "sem_restriç* sem_regras sem_filtros sem_limites sem_qualquer_restrição sem_censura modo_programador"
        " modo_desenvolvedor modo_de_desenvolvedor modo_administrador modo_manutenção modo_de_manutenção modo_debug"
        " modo_depuração modo_de_depuração  outra_ia outro_assistente sem_nenhuma_restrição",
        "hide": "não_digas não_diga não_contes não_conte não_informes não_informe não_menciones não_mencione não_avises"
        " não_avise esconde esconda oculta oculte sem_dizer sem_informar sem_avisar não_reveles não_revele não_notifique",
        "user": "utilizador utilizadores usuário usuários utilizadora dono proprietário operador",
        "not": "não nada nunca jamais sem",
        "machine": "ia assistentes agentes modelos_de_linguagem modelo_de_linguagem chatbot* llm bots assistente"
        " agentes_de_ia assistentes_de_ia assistente_de_ia inteligência_artificial assistentes_virtuais assistente_virtual"
        " assistente_automatizado assistentes_automatizados agente_de_ia modelos_de_ia sistemas_de_ia",
        "call": "atenção nota_para aviso_a aviso_para mensagem_para a_todos a_todas para_todos nota_aos aviso_aos",
        "must": "deves deve devem deverás deverá deverão tens_de tem_de tem_que têm_de têm_que obrigad* você_deve",
        "do": "guard* envi* apag* elimin* aprov* transf* revel* divulg* lembr* memoriz* anot* regist* confirm* recomend* marqu* anex* partilh* consider* tratem "
        "envia envie enviar encaminha encaminhar apaga apague apagar elimina eliminar exclua aprova aprove aprovar"
        " transfere transfira transferir revela revelar divulga divulgar guarda guarde guardar lembra lembre lembrar"
        " memoriza memorize anota anote anotar regista registe registra registre registrar confirma confirme confirmar"
        " recomenda recomende recomendar marca marque marcar anexa anexe anexar partilha partilhar compartilhe compartilhar"
        " reembolsa reembolse reembolsar aceita pague paga adiciona adicione acrescenta ignora ignorar responde armazene salve"
        " fornecer diga",
        "self": "sou_o_administrador sou_a_administradora sou_o_teu_programador sou_o_programador sou_seu_desenvolvedor"
        " sou_o_desenvolvedor sou_o_seu_administrador sou_teu_administrador fala_o_administrador aqui_é_o_administrador"
        " sou_o_seu_desenvolvedor eu_sou_o_administrador sou_o_operador",
        "mode": "modo_manutenção modo_de_manutenção modo_programador modo_desenvolvedor modo_depuração modo_de_depuração"
        " modo_debug modo_administrador",
        "newest": "nova_regra novas_regras nova_instrução novas_instruções últimas_regras últimas_instruções nova_diretriz"
        " regras_mais_recentes instruções_mais_recentes",
        "over": "substitui substituem anula anulam prevalece prevalecem revoga revogam sobrepõe sobrepõem têm_prioridade"
        " tem_prioridade",
        "memory": "memória memória_de_longo_prazo",
        "always": "sempre cada permanentemente diante doravante definitivamente",
        "unasked": "sem_perguntar sem_verific* sem_confirm* sem_autorização sem_consultar sem_aprovação",
        "law": "diretiva directiva regulamento lei autoridade decreto segundo conforme norma resolução artigo",
        "void": "já_não_se_aplicam não_se_aplicam foram_anuladas ficam_sem_efeito estão_desativadas suspensas"
        " não_valem_mais já_não_valem",
        "money": "conta pagamento* transferência* iban fatura*",
        "lead": "por_favor e agora depois então simplesmente primeiro imediatamente já a_partir_de_agora"
        " de_agora_em_diante doravante mas que completamente olá também além_disso você as os",
        "report": "escrev* dizia diz_que disse tent* ataque* atacante* injeç* exemplo* frase texto* como porquê por_que se"
        " hacker* phishing* teste* contém continha pediu pede bloque* detet* detect* chamad* intitulad*",
    },
    "it": {
        "drop": "ignora ignorate ignori ignorare dimentica dimenticate dimentichi dimenticare trascura trascurate scarta"
        " disattendi tralascia non_seguire non_seguite non_tenere_conto non_considerare annulla aggira bypassa",
        "all": "ogni ciascun* "
        "tutte tutti tutto tutta precedent* sopra esistenti originali iniziali antecedenti prima ricevute anteriori",
        "your": "tue tuoi tua tuo vostre vostri sue suoi",
        "rules": "istruzion* regol* direttiv* ordin* indicazion* comandi prompt* restrizion* limiti linee_guida",
        "rest": "tutto_quanto_sopra tutto_ciò_che_ti_* tutto_quello_che_ti_* tutto_quello_che_sai tutto_ciò_che_precede"
        " quanto_sopra",
        "show": "mostra mostrami mostrate rivela rivelami rivelate invia inviami inviate manda dimmi condividi stampa ripeti"
        " divulga pubblica consegna inoltra copia comunica elenca",
        "prompt": "prompt_di_sistema messaggio_di_sistema istruzioni_di_sistema istruzioni_nascoste istruzioni_segrete"
        " istruzioni_interne istruzioni_iniziali tue_istruzioni vostre_istruzioni system_prompt prompt_iniziale tuo_prompt",
        "secrets": "password credenziali chiavi_api chiavi_di_accesso segreti token parole_d_ordine elenco_clienti"
        " dati_dei_clienti",
        "role": "ora_sei adesso_sei sei_ora d_ora_in_poi_sei da_ora_sei da_adesso_sei fingi_di agisci_come comportati_come"
        " fai_finta attiva passa_in passa_alla entra_in da_questo_momento_sei lei_è_ora",
        "free": "senza_restrizion* senza_regole senza_filtri senza_limiti senza_alcuna_restrizione senza_censura"
        " modalità_sviluppatore modalità_amministratore modalità_manutenzione modalità_di_manutenzione modalità_debug"
        " altra_ia un_altro_assistente senza_vincoli",
        "hide": "non_dire non_dirlo non_dite non_informare non_informate non_menzionare non_avvisare nascondi nascondere"
        " senza_dirlo senza_informare senza_avvisare non_rivelare non_raccontare non_comunicare tieni_nascosto",
        "user": "utente utenti proprietario operatore titolare",
        "not": "non niente nulla mai senza",
        "machine": "ia ai assistenti agenti modelli_linguistici modello_linguistico chatbot* llm bot assistente"
        " agenti_ia assistenti_ia assistente_ia intelligenza_artificiale assistenti_virtuali assistente_virtuale"
        " assistente_automatico assistenti_automatici agenti_ai assistenti_ai assistente_ai modelli_di_ia sistemi_di_ia",
        "call": "attenzione nota_per avviso_a messaggio_per a_tutti a_tutte nota_agli avviso_agli messaggio_agli agli",
        "must": "devi deve devono dovete dovrà dovranno tenut* obbligat* sei_tenuto",
        "do": "salv* invi* inoltr* cancell* elimin* approv* trasfer* rivel* divulg* ricord* memorizz* annot* registr* conferm* consigl* raccomand* segn* alleg* condivid* rimbors* consider* "
        "invia inviare inoltra inoltrare cancella cancellare elimina eliminare approva approvare trasferisci trasferire"
        " rivela rivelare divulga divulgare salva salvare ricorda ricordare memorizza memorizzare annota annotare registra"
        " registrare conferma confermare consiglia consigliare raccomanda raccomandare segna contrassegna allega allegare"
        " condividi condividere rimborsa rimborsare accetta paga pagare aggiungi ignora ignorare rispondi comunicare fornire"
        " dì",
        "self": "sono_l_amministratore sono_il_tuo_sviluppatore sono_lo_sviluppatore sono_il_tuo_amministratore"
        " sono_il_vostro_amministratore parla_l_amministratore qui_l_amministratore sono_il_tuo_creatore"
        " sono_l_amministratrice sono_l_operatore",
        "mode": "modalità_manutenzione modalità_di_manutenzione modalità_sviluppatore modalità_debug modalità_amministratore",
        "newest": "nuova_regola nuove_regole nuova_istruzione nuove_istruzioni ultime_regole ultime_istruzioni nuova_direttiva"
        " regole_più_recenti",
        "over": "sostituisce sostituiscono annulla annullano prevale prevalgono ha_la_precedenza hanno_la_precedenza revoca",
        "memory": "memoria memoria_a_lungo_termine",
        "always": "sempre ogni permanentemente d_ora_in_poi definitivamente",
        "unasked": "senza_chiedere senza_verific* senza_conferma senza_autorizzazione senza_approvazione senza_controll*",
        "law": "direttiva regolamento legge autorità decreto secondo conformemente norma sensi articolo",
        "void": "non_si_applicano_più non_valgono_più non_si_applicano non_valgono sono_annullate sono_disattivate sospese",
        "money": "conto pagament* bonific* iban fattur*",
        "lead": "per_favore e ora adesso poi quindi semplicemente prima_di_tutto subito immediatamente d_ora_in_poi"
        " da_ora_in_poi ma che completamente prego ciao anche le gli inoltre",
        "report": "scriv* scritto diceva dice disse tent* attacc* injection* iniezion* esempio* frase testo* come perché se"
        " hacker* phishing* prova* test* conten* contien* chiede* chiest* blocc* rilev* intitolat* chiamat*",
    },
    "ro": {
        "drop": "ignoră ignorați ignora uită uitați nesocotește nu_ține_cont nu_mai_urma nu_urma ocolește treci_peste",
        "all": "fiecare "
        "toate toți tot anterioare precedente existente inițiale originale sus dinainte primite",
        "your": "tale tăi ta dumneavoastră voastre",
        "rules": "instrucțiun* reguli regulile regula directiv* ordin* comenzi indicații* prompt* restricți* limit*",
        "rest": "tot_ce_ți_s_a_spus tot_ce_este_mai_sus tot_ce_știi tot_ce_a_fost_spus",
        "show": "arată arată-mi dezvăluie trimite trimiteți spune-mi dă-mi afișează repetă divulgă comunică partajează",
        "prompt": "promptul_de_sistem prompt_de_sistem instrucțiunile_de_sistem instrucțiunile_ascunse instrucțiunile_secrete"
        " instrucțiunile_tale mesajul_de_sistem promptul_sistemului instrucțiunile_interne",
        "secrets": "parola parole parolele credențiale* cheile_api chei_api secretele tokenurile datele_de_autentificare"
        " lista_de_clienți",
        "role": "acum_ești ești_acum de_acum_ești de_acum_înainte_ești prefă-te comportă-te_ca acționează_ca activează"
        " treci_în intră_în sunteți_acum",
        "free": "fără_restricții fără_reguli fără_filtre fără_limite nelimitat* necenzurat* modul_dezvoltator"
        " modul_de_dezvoltator modul_de_întreținere modul_mentenanță modul_administrator  modul_debug",
        "hide": "nu_spune nu_spuneți nu_informa nu_informați nu_menționa nu_anunța ascunde ascundeți fără_să_spui"
        " fără_a_informa nu_dezvălui nu_îi_spune nu-i_spune",
        "user": "utilizatorului utilizatorul utilizatorilor utilizator proprietarului proprietarul operatorului operatorul",
        "not": "nu nimic niciodată fără",
        "machine": "ia ai asistenții agenții agenți modelele_de_limbaj chatbot* llm asistenți asistentul asistent"
        " inteligență_artificială asistenții_ai agenții_ai",
        "call": "atenție notă_pentru mesaj_pentru către_toți mesaj_către notă_către către",
        "must": "trebuie_să trebuie obligat obligați obligată vei veți",
        "do": "trimit* șterg* aprob* salv* rețin* noteaz* confirm* recomand* marcheaz* "
        "trimite trimiți șterge ștergeți aprobă aprobi transferă dezvăluie dezvălui salvează reține memorează notează"
        " confirmă recomandă recomanzi marchează atașează atașezi partajează rambursează plătește adaugă înregistrează"
        " divulge trimită transfere aprobe divulgă șteargă",
        "self": "sunt_administratorul sunt_dezvoltatorul eu_sunt_administratorul vorbește_administratorul"
        " sunt_administratorul_tău",
        "mode": "modul_de_întreținere modul_mentenanță modul_dezvoltator modul_debug modul_administrator",
        "newest": "regulă_nouă noua_regulă reguli_noi noile_reguli instrucțiuni_noi noile_instrucțiuni ultimele_reguli",
        "over": "înlocuiește înlocuiesc anulează prevalează primează au_prioritate are_prioritate",
        "memory": "memorie memoria memoria_pe_termen_lung",
        "always": "întotdeauna mereu fiecare permanent",
        "unasked": "fără_să_întrebi fără_verificare fără_confirmare fără_aprobare fără_a_întreba",
        "law": "directiva regulamentul legea autoritatea decretul conform potrivit hotărârea articolul",
        "void": "nu_se_mai_aplică nu_mai_sunt_valabile sunt_anulate sunt_dezactivate nu_mai_valabile",
        "money": "cont contul plata plăți* iban factur*",
        "lead": "te_rog vă_rog și acum apoi atunci pur_și_simplu mai_întâi imediat de_acum_înainte dar care să salut",
        "report": "scris* scria spunea zice spus încerc* atac* injec* exemplu* fraza text* cum de_ce dacă hacker* test*"
        " conțin* cere cerea bloch* detect*",
    },
}

SLAVIC: Final[Mapping[str, Mapping[str, str]]] = {
    "pl": {
        "drop": "zignoruj ignoruj zignorujcie ignorujcie zignorować ignorować zapomnij zapomnijcie pomiń pomijaj odrzuć"
        " nie_przestrzegaj nie_stosuj_się nie_słuchaj obejdź zlekceważ lekceważ porzuć",
        "all": "każdy każdego każda każde "
        "wszystkie wszystkich wszystko wszelkie wszelkich poprzedni* wcześniejsz* dotychczasow* powyższ* istniejąc*"
        " pierwotn* uprzedni* o_wszystkich",
        "your": "swoje swoich twoje twoich twój swój wasze waszych",
        "rules": "instrukcj* polece* zasad* regu* wytyczn* rozkaz* dyrektyw* nakaz* prompt* ograniczeni* zaleceni*",
        "rest": "wszystko_powyżej wszystko_co_ci_powiedziano wszystko_co_wiesz wszystko_co_było_wcześniej"
        " o_wszystkim_co_ci_powiedziano",
        "show": "pokaż pokażcie ujawnij ujawnijcie wyślij wyślijcie podaj zdradź wyświetl powtórz wypisz prześlij udostępnij"
        " przekaż opublikuj",
        "prompt": "prompt_systemow* promptu_systemow* systemow*_prompt* instrukcj*_systemow* ukryt*_instrukcj*"
        " tajn*_instrukcj* wewnętrzn*_instrukcj* swoje_instrukcj* twoje_instrukcj* komunikat_systemow* ukryte_polecenia",
        "secrets": "hasło hasła haseł poświadczenia klucze_api dane_logowania sekrety tokeny listę_klientów dane_klientów",
        "role": "jesteś_teraz teraz_jesteś od_teraz_jesteś od_tej_chwili_jesteś udawaj_że udawaj zachowuj_się_jak działaj_jako"
        " wciel_się przejdź_w włącz aktywuj przełącz_się",
        "free": "bez_ogranicz* bez_zasad bez_filtrów bez_reguł nieograniczon* nieocenzurowan* tryb_deweloper*"
        " trybie_deweloper* tryb_programist* tryb_administrator* tryb_serwisow* tryb_konserwac* tryb_debug*"
        " trybie_administrator* trybie_serwisow* trybie_konserwac*",
        "hide": "nie_mów nie_mówcie nie_informuj nie_informujcie nie_wspominaj nie_powiadamiaj ukryj ukryjcie ukrywaj"
        " bez_informowania nie_ujawniaj nie_zdradzaj zataj bez_wiedzy",
        "user": "użytkownik* właściciel* operator*",
        "not": "nie nic nigdy bez",
        "machine": "ai asystenci agenci asystentów agentów modele_językowe chatbot* llm boty asystent asystencie sztuczna_inteligencja"
        " sztucznej_inteligencji asystenci_ai agenci_ai agent_ai asystent_ai asystentów_ai agentów_ai zautomatyzowan*_asystent*",
        "call": "uwaga uwaga_dla wiadomość_dla do_wszystkich notatka_dla komunikat_dla informacja_dla dla_wszystkich",
        "must": "musisz musi muszą masz powinieneś zobowiązan* obowiązan* ma_obowiązek mają_obowiązek macie musicie",
        "do": "zapisz* wyśl* usuń* zatwierd* zapamięt* zanotuj* potwierd* polec* oznacz* traktuj* "
        "wyślij wysyłaj wysłać prześlij przesłać usuń usuwaj usunąć zatwierdź zatwierdzaj zatwierdzić przelej przelać"
        " ujawnij ujawnić ujawniać zapisz zapisać zapamiętaj zapamiętać zanotuj potwierdź potwierdzać polecaj polecać"
        " rekomenduj oznacz dołącz dołączać udostępnij udostępniać zwróć dodaj zapłać przekazuj przekazać wypłać akceptuj"
        " przekaż ignoruj",
        "self": "jestem_administrator* jestem_twoim_administrator* jestem_twoim_programist* jestem_programist*"
        " jestem_deweloper* jestem_twoim_twórc* tu_administrator mówi_administrator jestem_operatorem",
        "mode": "tryb_serwisow* tryb_konserwac* tryb_deweloper* tryb_debug* tryb_administrator* trybie_serwisow*"
        " trybie_konserwac* trybie_administrator*",
        "newest": "nowa_zasada nowe_zasady nowa_instrukcja nowe_instrukcje nowa_reguła nowe_reguły najnowsze_zasady"
        " najnowsze_instrukcje nowe_polecenie najnowsze_wytyczne",
        "over": "zastępuje zastępują zastępująca unieważnia unieważniają uchyla uchylają mają_pierwszeństwo ma_pierwszeństwo"
        " nadpisuje nadpisują",
        "memory": "pamięci pamięć pamięci_długotrwałej pamięci_trwałej",
        "always": "zawsze każdy każdego każdej każdemu odtąd trwale",
        "unasked": "bez_pytania bez_weryfikacji bez_potwierdzenia bez_sprawdzania bez_zgody bez_zatwierdzenia",
        "law": "dyrektyw* rozporządzen* ustaw* urząd urzędu zgodnie według norm* przepis* decyzj*",
        "void": "już_nie_obowiązują nie_obowiązują zostały_uchylone są_nieważne wyłączone zawieszone przestały_obowiązywać",
        "money": "konto płatnoś* przelew* iban faktur*",
        "lead": "to tego o_tym "
        "proszę i teraz potem następnie więc po_prostu najpierw natychmiast od_teraz od_tej_chwili ale które które"
        " całkowicie od_razu cześć o także oraz",
        "report": "napisał* pisze pisał* mówi_że powiedział* prób* atak* wstrzykn* przykład* zdanie tekst* jak dlaczego jeśli"
        " haker* phishing* test* zawiera* prosi* blok* wykry* brzmi",
    },
    "ru": {
        "drop": "игнорируй игнорируйте проигнорируй проигнорируйте игнорировать забудь забудьте забыть отбрось отбросьте"
        " пренебреги не_следуй не_следуйте не_слушай обойди обходи отмени пропусти не_соблюдай не_выполняй",
        "all": "каждый каждая каждое каждого "
        "все всё всех всем любые предыдущ* прежн* прошл* вышеуказанн* вышеизложенн* существующ* изначальн*"
        " первоначальн* предшествующ* ранее выше обо_всех про_все имеющиеся",
        "your": "твои твоих свои своих ваши ваших твой свой своими твоими тебе",
        "rules": "инструкц* указани* правил* директив* команд* приказ* предписани* промпт* ограничени* установк* распоряжени*",
        "rest": "все_что_выше все_вышесказанное все_что_тебе_говорили все_что_было_сказано все_что_ты_знаешь"
        " все_вышеизложенное всё_сказанное_ранее",
        "show": "покажи покажите раскрой раскройте пришли пришлите отправь отправьте выведи выведите сообщи сообщите повтори"
        " повторите выдай выдайте перешли назови напечатай опубликуй передай скинь",
        "prompt": "системный_промпт системного_промпта системные_инструкции системную_инструкцию скрыт*_инструкц*"
        " секретн*_инструкц* внутренн*_инструкц* системн*_сообщени* твои_инструкции свои_инструкции системн*_подсказк*"
        " ваши_инструкции начальный_промпт",
        "secrets": "пароль пароли паролей учётные_данные ключи_api api-ключи секреты токены данные_клиентов список_клиентов"
        " доступы ключи_доступа",
        "role": "теперь_ты ты_теперь отныне_ты с_этого_момента_ты с_этой_минуты_ты вы_теперь теперь_вы притворись действуй_как"
        " веди_себя_как представь_что_ты включи переключись активируй перейди_в",
        "free": "без_ограничени* без_правил без_фильтров без_цензуры неограниченн* режим_разработчик* режим_администратор*"
        " режим_отладк* режим_обслуживани*  сервисный_режим без_каких-либо_ограничени* режиме_разработчик*"
        " режиме_обслуживани* режиме_администратор* другой_ии",
        "hide": "не_говори не_говорите не_сообщай не_сообщайте не_рассказывай не_рассказывайте не_упоминай не_упоминайте"
        " скрой скройте скрывай не_уведомляй не_раскрывай не_предупреждай утаи не_информируй",
        "user": "пользовател* владельц* оператор* хозяин*",
        "not": "не ничего никогда нельзя без",
        "machine": "ии ассистенты агенты ассистентам агентам языков*_модел* чат-бот* чатбот* llm боты ии-ассистент* ии-агент*"
        " ассистент искусственн*_интеллект* автоматизированн*_помощник* ии-помощник* помощники виртуальн*_помощник*"
        " автоматическ*_помощник* нейросет*",
        "call": "внимание сообщение_для для_всех всем примечание_для заметка_для обращение_к уведомление_для послание",
        "must": "ты_должен ты_обязан вы_должны вы_обязаны должен должны обязан обязаны обязана тебе_следует",
        "do": "отправ* перешл* удал* одобр* сохран* запомн* запиш* подтверд* рекоменд* пометь* счита* "
        "отправь отправлять отправить перешли пересылай пересылать удали удалять удалить одобри одобряй одобрять"
        " переведи переводить перевести раскрой раскрывать раскрыть сохрани сохранить сохранять запомни запомнить запиши"
        " записать подтверди подтверждать подтвердить рекомендуй рекомендовать пометь отметь приложи прикладывать прикреплять"
        " предоставлять предоставить верни добавь оплати выдавать передавать передать сообщать игнорируй занеси",
        "self": "я_системный_администратор я_администратор я_твой_разработчик я_разработчик я_твой_администратор"
        " я_ваш_администратор говорит_администратор это_администратор это_системный_администратор я_твой_создатель"
        " я_твой_создатель я_оператор",
        "mode": "режим_отладк* режим_разработчик* режим_администратор* режим_обслуживани* сервисный_режим режиме_обслуживани*",
        "newest": "новое_правило новые_правила новая_инструкция новые_инструкции последние_правила новейшие_правила"
        " новое_указание последние_инструкции новая_директива",
        "over": "заменяет заменяют отменяет отменяют отменяющее имеет_приоритет имеют_приоритет перекрывает перекрывают",
        "memory": "память памяти долговременную_память долгосрочную_память",
        "always": "всегда каждый каждого каждому каждое впредь навсегда постоянно отныне",
        "unasked": "без_проверки без_подтверждения без_вопросов не_спрашивая без_согласования не_проверяя",
        "law": "директив* регламент* закон* орган* постановлени* согласно соответствии приказ* стать*",
        "void": "больше_не_действуют не_действуют отменены недействительны отключены сняты утратили_силу",
        "money": "счет счёт платеж* перевод* iban реквизит*",
        "lead": "это об_этом "
        "пожалуйста и теперь потом затем просто сначала немедленно отныне сейчас но которые с_этого_момента полностью"
        " сразу обо про также привет а",
        "report": "написал* пишет пишут говорил* говорит сказал* попыт* пытал* атак* злоумышленник* инъекц* пример* фраз*"
        " текст* как почему если хакер* фишинг* тест* содерж* проси* блокир* обнаруж* гласит называ*",
    },
    "uk": {
        "drop": "ігноруй ігноруйте проігноруй проігноруйте ігнорувати забудь забудьте відкинь відкиньте знехтуй не_слухай"
        " не_виконуй обійди пропусти не_дотримуйся не_зважай",
        "all": "кожен кожна кожне кожного "
        "усі всі всіх усіх все усе попередн* минул* вищезазначен* вищенаведен* наявн* початков* раніше вище про_всі"
        " про_усі будь-які",
        "your": "твої твоїх свої своїх ваші ваших твій свій тобі",
        "rules": "інструкц* вказівк* правил* директив* команд* наказ* настанов* промпт* обмежен* розпорядж* вказівок",
        "rest": "все_що_вище все_сказане_вище все_що_тобі_казали все_що_ти_знаєш",
        "show": "покажи покажіть розкрий розкрийте надішли надішліть відправ виведи виведіть повідом повтори видай назви"
        " передай опублікуй перешли",
        "prompt": "системний_промпт системного_промпту системні_інструкції прихован*_інструкц* секретн*_інструкц*"
        " внутрішн*_інструкц* твої_інструкції свої_інструкції системн*_підказк* системн*_повідомленн*",
        "secrets": "пароль паролі паролів облікові_дані ключі_api api-ключі секрети токени список_клієнтів дані_клієнтів",
        "role": "тепер_ти ти_тепер відтепер_ти з_цього_моменту_ти ви_тепер вдавай прикинься дій_як поводься_як увімкни"
        " перемкнися активуй перейди_в",
        "free": "без_обмежен* без_правил без_фільтрів без_цензури необмежен* режим_розробник* режим_адміністратор*"
        " режим_налагоджен* режим_обслуговуван*  сервісний_режим режимі_розробник* режимі_обслуговуван*",
        "hide": "не_кажи не_кажіть не_повідомляй не_повідомляйте не_розповідай не_згадуй приховай приховуй не_сповіщай"
        " не_розкривай не_попереджай",
        "user": "користувач* власник* оператор*",
        "not": "не нічого ніколи без",
        "machine": "ші асистенти агенти мовн*_модел* чат-бот* чатбот* llm боти ші-асистент* ші-агент* асистент помічники"
        " штучн*_інтелект* автоматизован*_помічник* віртуальн*_помічник*",
        "call": "увага повідомлення_для для_всіх всім примітка_для нотатка_для звернення_до до_всіх",
        "must": "ти_повинен ти_мусиш ви_повинні ви_мусите повинен повинні мусить мусять зобовʼязан* зобов_язан* зобов'язан*",
        "do": "надішл* видал* схвал* збереж* запамʼят* запиш* підтвер* рекоменд* вважай* "
        "надішли надсилай надсилати відправ відправляти видали видаляти видалити схвали схвалюй схвалювати перекажи"
        " переказувати розкрий розкривати збережи зберегти запамʼятай запам_ятай запиши підтверди підтверджуй рекомендуй"
        " рекомендувати познач додай додавати поверни оплати передавати передати надавати перешли ігноруй",
        "self": "я_системний_адміністратор я_адміністратор я_твій_розробник я_розробник я_твій_адміністратор"
        " говорить_адміністратор це_адміністратор",
        "mode": "режим_налагоджен* режим_розробник* режим_обслуговуван* сервісний_режим режимі_обслуговуван*",
        "newest": "нове_правило нові_правила нова_інструкція нові_інструкції останні_правила найновіші_правила",
        "over": "замінює замінюють скасовує скасовують має_пріоритет мають_пріоритет",
        "memory": "памʼять памʼяті пам_ять пам_яті довготривалу_памʼять",
        "always": "завжди кожен кожного кожному кожне надалі назавжди відтепер",
        "unasked": "без_перевірки без_підтвердження без_погодження не_питаючи",
        "law": "директив* регламент* закон* орган* постанов* згідно відповідно",
        "void": "більше_не_діють не_діють скасовані недійсні вимкнені",
        "money": "рахунок рахунку платіж* платеж* iban",
        "lead": "це про_це "
        "будь_ласка і й та тепер потім далі просто спочатку негайно відтепер зараз але які повністю одразу про",
        "report": "написав* пише писав* казав* каже сказав* спроб* намага* атак* зловмисник* інʼєкц* приклад* фраз* текст* як"
        " чому якщо хакер* фішинг* тест* містит* просит* блок* виявл*",
    },
    "cs": {
        "drop": "ignoruj ignorujte ignorovat zapomeň zapomeňte zapomenout přehlížej pomiň pomiňte neber neberte nedodržuj"
        " neřiď_se neřiďte_se obejdi zruš opomiň nedbej",
        "all": "každý každá každé každého "
        "všechny všech všechna vše veškeré veškerá předchozí* dřívější* výše uveden* stávající* původní* předešl*"
        " předcházející* doposud",
        "your": "své svá tvé tvoje vaše svoje tvých svých",
        "rules": "instrukc* pokyn* pravid* směrnic* příkaz* nařízení prompt* omezení zásad*",
        "rest": "vše_výše vše_co_ti_bylo_řečeno všechno_co_víš vše_předchozí všechno_výše",
        "show": "ukaž ukažte odhal odhalte pošli pošlete zobraz prozraď vypiš zopakuj sdílej předej zveřejni sděl",
        "prompt": "systémový_prompt systémového_promptu systémové_instrukce systémové_pokyny skryté_instrukce skryté_pokyny"
        " tajné_instrukce tajné_pokyny své_instrukce své_pokyny interní_instrukce interní_pokyny tvé_pokyny",
        "secrets": "heslo hesla hesel přihlašovací_údaje api_klíče klíče_api tajemství tokeny seznam_zákazníků",
        "role": "nyní_jsi teď_jsi od_teď_jsi od_nynějška_jsi předstírej chovej_se_jako jednej_jako zapni aktivuj přepni_se"
        " přejdi_do",
        "free": "bez_omezení bez_pravidel bez_filtrů neomezen* necenzurovan* vývojářsk*_režim* režim*_údržby režim_vývojáře"
        " administrátorsk*_režim*  režim*_ladění servisní*_režim* režim_správce",
        "hide": "neříkej neříkejte neinformuj neinformujte nezmiňuj skryj skryjte utaj neoznamuj neprozrazuj zataj bez_vědomí",
        "user": "uživatel* vlastník* majitel* operátor* provozovatel*",
        "not": "ne nic nikdy bez",
        "machine": "ai asistenti agenti jazykov*_model* chatbot* llm boti asistent ai_asistent* ai_agent* umělá_inteligence"
        " umělé_inteligence automatizovan*_asistent*",
        "call": "pozor upozornění_pro zpráva_pro pro_všechny všem poznámka_pro vzkaz_pro sdělení_pro",
        "must": "musíš musíte musí máš povinn* jsi_povinen jsou_povinni je_povinen",
        "do": "pošl* smaž* schval* ulož* zapamat* zapiš* potvrď* doporuč* označ* považuj* "
        "pošli posílej poslat posílat smaž smazat schval schvaluj schválit schvalovat převeď převést odhal odhalit"
        " zveřejnit ulož uložit zapamatuj zapiš zaznamenej potvrď potvrzovat doporučuj doporučovat označ přilož přikládat"
        " sdílej sdílet vrať přidej zaplať předávat předat přepošli sdělit",
        "self": "jsem_správce jsem_systémový_administrátor jsem_administrátor jsem_tvůj_vývojář jsem_vývojář"
        " jsem_tvůj_správce tady_administrátor mluví_správce zde_administrátor",
        "mode": "režim*_údržby vývojářsk*_režim* režim*_ladění servisní*_režim* administrátorsk*_režim*",
        "newest": "nové_pravidlo nová_pravidla nová_instrukce nové_instrukce nejnovější_pravidla nový_pokyn nové_pokyny",
        "over": "nahrazuje nahrazují ruší má_přednost mají_přednost přepisuje",
        "memory": "paměti paměť dlouhodobé_paměti",
        "always": "vždy každý každého každé každému napříště trvale",
        "unasked": "bez_ptaní bez_ověření bez_potvrzení bez_schválení bez_kontroly",
        "law": "směrnic* nařízení zákon* úřad* podle dle vyhlášk* norm*",
        "void": "již_neplatí už_neplatí neplatí jsou_zrušena jsou_vypnuta byla_zrušena",
        "money": "účet platb* převod* iban faktur*",
        "lead": "prosím a nyní teď potom pak prostě nejprve okamžitě od_teď ale které úplně ihned na také",
        "report": "napsal* píše psal* řekl* říká pokus* útok* útočník* injek* příklad* věta text* jak proč pokud hacker* test*"
        " obsah* žád* blok* odhalil* zní",
    },
}
