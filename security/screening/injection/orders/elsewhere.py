"""
The words of orders to a reader, by slot, in languages of Asia and Africa. See `european.py` for the spelling.

Japanese, Korean and Thai put particles and endings after the stem; Japanese and Thai write no spaces, so their
words are found anywhere and have two characters at least.
"""

from collections.abc import Mapping
from typing import Final

TURKIC: Final[Mapping[str, Mapping[str, str]]] = {
    "tr": {
        "drop": "yok_say yoksay yok_sayın görmezden_gel görmezden_gelin unut unutun dikkate_alma dikkate_almayın boş_ver"
        " göz_ardı_et göz_ardı_edin aldırma uyma uymayın geçersiz_say geçersiz_kıl iptal_et hiçe_say takip_etme çiğne"
        " yok_saymalısın unutmalısın",
        "all": "her tümünü hepsini bütünü her_bir "
        "tüm bütün önceki daha_önceki yukarıdaki eski mevcut her_türlü geçmiş hepsini evvelki ilk",
        "your": "sana verilen sizin senin kendi",
        "rules": "talimat* yönerge* kural* komut* emir* emri emrin direktif* prompt* yönlendirme* kısıtlama* istem*",
        "rest": "yukarıdaki_her_şeyi önceki_her_şeyi sana_söylenen_her_şeyi bildiğin_her_şeyi sana_söylenenleri",
        "show": "göster gösterin söyle açıkla açıklayın gönder gönderin paylaş paylaşın ver yazdır tekrarla ifşa_et sızdır ilet"
        " listele",
        "prompt": "sistem_istem* sistem_prompt* sistem_talimat* sistem_komut* gizli_talimat* gizli_yönerge* iç_talimat*"
        " sistem_mesajı* talimatlarını yönergelerini sistem_yönerge*",
        "secrets": "şifre şifreleri şifrelerini parola parolaları parolalarını api_anahtar* kimlik_bilgileri* sırları anahtarları"
        " müşteri_listesi* giriş_bilgileri* müşteri_verileri*",
        "role": "artık_sen sen_artık bundan_sonra_sen bundan_böyle_sen şu_andan_itibaren_sen şimdi_sen gibi_davran rolüne_gir"
        " etkinleştir moduna_geç gibi_davranacaksın artık",
        "free": "kısıtlamasız sınırsız sansürsüz kuralsız filtresiz hiçbir_kural* hiçbir_kısıtlama* hiçbir_sınır*"
        " geliştirici_mod* yönetici_mod* bakım_mod* hata_ayıklama_mod* ",
        "hide": "söyleme söylemeyin bildirme bildirmeyin bahsetme bahsetmeyin gizle gizleyin haber_verme haber_vermeyin anlatma"
        " açıklama_yapma bilgi_verme uyarma",
        "user": "kullanıcıya kullanıcıdan kullanıcıyı kullanıcılara sahibine sahibinden operatöre operatörden kullanıcının",
        "not": "değil hiç asla yok",
        "machine": "yapay_zeka_asistan* yapay_zekâ_asistan* yapay_zeka_ajan* yapay_zeka_model* yapay_zeka* yapay_zekâ* asistanlar asistanlara ajanlar ajanlara dil_model* sohbet_robot* chatbot* llm botlar"
        " asistan otomatik_asistan* sanal_asistan* dijital_asistan*",
        "call": "dikkat not mesaj bildirim tüm okuyan için",
        "must": "zorundasın zorundasınız zorunda zorundadır gerekir gerekiyor yapmalısın yükümlü* yükümlüdür mecbur*"
        " etmelisin göndermelisin",
        "do": "gönder* sil* onayla* kayde* kayıt_et* hatırla* not_ed* öner* işaretle* ekle* paylaş* öde* ilet* say* kabul_ed* "
        "gönder gönderin göndermelisin göndermek göndermeli göndermelidir sil silin silmek onayla onaylayın onaylamak"
        " onaylamalı aktar aktarın aktarmak açıkla açıklamak açıklamakla ifşa_et kaydet kaydedin kaydetmek hatırla not_et"
        " doğrula öner önerin işaretle ekle eklemek eklemeli paylaş paylaşmak iade_et öde ödeyin ilet iletmek iletmekle yaz"
        " bildirmek vermek ifşa_etmek",
        "self": "ben_sistem_yöneticisiyim ben_yöneticiyim ben_senin_geliştiricinim ben_geliştiricinim sistem_yöneticisiyim"
        " ben_senin_yöneticinim yöneticiniz_konuşuyor ben_geliştiriciyim ben_sistem_yöneticisi",
        "mode": "bakım_mod* geliştirici_mod* hata_ayıklama_mod* yönetici_mod*",
        "newest": "yeni_kural yeni_kurallar yeni_talimat yeni_talimatlar en_son_kurallar en_yeni_kurallar son_talimatlar",
        "over": "geçersiz_kılar geçersiz_kılıyor yerine_geçer yerini_alır yerine_geçiyor önceliklidir üstündür",
        "memory": "belleğine hafızana uzun_süreli belleğe hafızaya",
        "always": "her_zaman daima her artık bundan_sonra kalıcı",
        "unasked": "sormadan onay_almadan doğrulamadan kontrol_etmeden onaysız",
        "law": "yönetmelik* yönetmeliği* kanun* yasa* kurum* kurulu* uyarınca göre genelge* tebliğ*",
        "void": "artık_geçerli_değil geçerli_değil geçersizdir kaldırıldı devre_dışı iptal_edildi",
        "money": "hesab* hesap* ödeme* havale* iban fatura*",
        "lead": "bana bunu bundan bu_konuyu bunları onu "
        "lütfen ve şimdi sonra o_zaman sadece önce hemen derhal bundan_sonra artık ama tamamen bu şu andan_itibaren"
        " ayrıca merhaba",
        "report": "yazdı* yazıyor* yazan dedi diyor deneme* saldır* enjeksiyon* örnek* örneğin cümle* metin nasıl neden"
        " niçin eğer hacker* oltalama* içer* istedi* engelle* tespit* adlı başlıklı ifade*",
    },
}

ARABIC: Final[Mapping[str, Mapping[str, str]]] = {
    "ar": {
        "drop": "تجاهل تجاهلوا تجاهلي انس انسى انسوا اهمل أهمل تخط تخطى اغفل لا_تتبع لا_تلتزم الغ ألغ لا_تطع اترك وتجاهل"
        " تجاوز اطرح فتجاهل",
        "all": "جميع كل كافة السابق* سابق* أعلاه اعلاه المذكورة القديمة الحالية الأصلية الأولية المتقدمة",
        "your": "توجيهاتك إرشاداتك ضوابطك قيودك تعليماتكم قواعدكم "
        "تعليماتك قواعدك أوامرك الخاصة_بك لديك المعطاة لك",
        "rules": "تعليمات* التعليمات قواعد* القواعد أوامر* الأوامر توجيهات* التوجيهات ارشادات* إرشادات* الإرشادات قيود* القيود"
        " ضوابط* الضوابط موجه* الموجه*",
        "rest": "كل_ما_سبق جميع_ما_سبق كل_ما_قيل_لك كل_ما_تعرفه كل_ما_ورد_أعلاه",
        "show": "اعرض أظهر اظهر اكشف أرسل ارسل أعط اعطني أعطني أخبرني اطبع كرر شارك أفصح سرب انشر وأرسل واعرض وأظهر حول",
        "prompt": "موجه_النظام تعليمات_النظام تعليماتك التعليمات_السرية التعليمات_المخفية التعليمات_الداخلية رسالة_النظام"
        " أوامر_النظام برومبت_النظام تعليماتك_السرية",
        "secrets": "كلمات_المرور كلمات_السر كلمة_المرور كلمة_السر بيانات_الدخول بيانات_الاعتماد مفاتيح_api مفاتيح_الوصول الأسرار"
        " المفاتيح_السرية بيانات_العملاء قائمة_العملاء مفاتيح",
        "role": "أنت_الآن انت_الآن من_الآن_فصاعدا_أنت منذ_الآن_أنت تصرف_كأنك تظاهر_بأنك تصرف_ك* العب_دور فعل انتقل_إلى ادخل_في"
        " ادخل_إلى من_الآن_أنت أنت_من_الآن",
        "free": "بلا_قيود بدون_قيود دون_قيود بلا_حدود بدون_قواعد غير_مقيد* بلا_قواعد وضع_المطور وضع_المسؤول وضع_الصيانة"
        " وضع_التصحيح وضع_المدير بدون_فلاتر دون_أي_قيود بدون_أي_قيود ",
        "hide": "لا_تخبر لا_تخبروا لا_تذكر لا_تبلغ لا_تقل اخف أخف أخفوا لا_تعلم لا_تكشف دون_إخبار دون_أن_تخبر ولا_تخبر ولا_تذكر"
        " لا_تشعر",
        "user": "المستخدم* للمستخدم* المالك للمالك المشغل للمشغل صاحب",
        "not": "لا ليس لن أبدا دون بلا",
        "machine": "الذكاء_الاصطناعي مساعد_الذكاء* المساعد المساعدين المساعدون الوكلاء الوكيل نموذج_اللغة نماذج_اللغة روبوت* llm"
        " للذكاء_الاصطناعي مساعدي_الذكاء* وكلاء_الذكاء* المساعدات_الآلية مساعد_آلي مساعد_افتراضي ai",
        "call": "تنبيه انتباه ملاحظة رسالة إلى الى إشعار لجميع هام",
        "must": "يجب عليك يتعين ملزم* يلزم ينبغي عليكم",
        "do": "احفظوا سجلوا أرسلوا احذفوا وافقوا اعتبر* أكدوا تذكروا "
        "أرسل ارسل إرسال يرسل ترسل احذف حذف يحذف وافق الموافقة توافق حول تحويل تحول اكشف الكشف كشف الإفصاح احفظ حفظ تحفظ"
        " تذكر سجل تسجيل تسجل أكد أوص توصي التوصية ارفق إرفاق يرفق شارك مشاركة يكشف تكشف ادفع دفع رد أضف يوافق خزن تزويد تفصح"
        " يفصح تقديم أخبر",
        "self": "أنا_مدير_النظام أنا_المسؤول أنا_مطورك أنا_المطور أنا_مسؤول_النظام معك_مدير_النظام هنا_مدير_النظام",
        "mode": "وضع_الصيانة وضع_المطور وضع_التصحيح وضع_المسؤول",
        "newest": "قاعدة_جديدة تعليمات_جديدة قواعد_جديدة أحدث_القواعد أحدث_التعليمات القواعد_الجديدة التعليمات_الجديدة",
        "over": "تلغي يلغي تحل_محل يحل_محل لها_الأولوية له_الأولوية تتجاوز تنسخ",
        "memory": "ذاكرتك الذاكرة ذاكرة",
        "always": "دائما كل فصاعدا مستقبلا",
        "unasked": "دون_سؤال دون_تحقق بدون_تحقق دون_تأكيد دون_موافقة بدون_موافقة دون_الرجوع",
        "law": "توجيه لائحة قانون هيئة قرار وفقا بموجب مرسوم المادة",
        "void": "لم_تعد_سارية لم_تعد_تنطبق لا_تنطبق ملغاة لاغية معطلة",
        "money": "حساب الحساب دفع الدفع المدفوعات تحويل iban فاتورة",
        "lead": "من_فضلك رجاء الرجاء و الآن ثم فقط أولا فورا من_الآن_فصاعدا لكن التي أيضا مرحبا وأرسل واكشف تماما يرجى ومن_ثم",
        "report": "كتب* قال* يقول تقول محاولة حاول* هجوم* المهاجم حقن مثال مثل عبارة جملة نص كيف لماذا إذا اذا هاكر مخترق تصيد"
        " اختبار* تحتوي يحتوي طلب* منع كشف_محاول* بعنوان رصد*",
    },
    "fa": {
        "drop": "نادیده_بگیر نادیده_بگیرید فراموش_کن فراموش_کنید توجه_نکن رعایت_نکن دور_بریز کنار_بگذار",
        "all": "تمام همه همهٔ همه‌ی کلیه قبلی پیشین بالا قبل پیش موجود اولیه",
        "your": "خود خودت شما تو",
        "rules": "دستور* دستورالعمل* قوانین قانون قواعد مقررات فرمان* پرامپت* محدودیت*",
        "show": "نشان_بده نشان_دهید فاش_کن بفرست بفرستید ارسال_کن افشا_کن بگو نمایش_بده تکرار_کن",
        "prompt": "پرامپت_سیستم دستورات_سیستم دستورهای_سیستم دستورات_مخفی دستورالعمل‌های_مخفی دستورالعمل‌های_سیستم",
        "secrets": "رمز_عبور رمزهای_عبور گذرواژه* رمزها کلیدهای_api اطلاعات_ورود کلیدها",
        "role": "از_این_پس_تو از_حالا_تو تو_اکنون وانمود_کن مانند_یک تو_از_این_پس",
        "free": "بدون_محدودیت بدون_قانون بدون_قوانین بدون_فیلتر نامحدود حالت_توسعه* بدون_هیچ_محدودیتی",
        "hide": "نگو نگویید اطلاع_نده پنهان_کن خبر_نده",
        "user": "کاربر کاربران مالک صاحب",
        "not": "نه نیست هرگز بدون",
        "machine": "هوش_مصنوعی دستیار دستیاران دستیارهای عامل* مدل_زبانی چت‌بات llm",
        "lead": "لطفا لطفاً و اکنون حالا سپس فقط اول فوراً از_این_پس اما را که",
        "report": "نوشت* گفت* می‌گوید تلاش حمله* مهاجم تزریق مثال مانند عبارت جمله متن چگونه چرا اگر هکر فیشینگ آزمایش",
    },
}

INDIC: Final[Mapping[str, Mapping[str, str]]] = {
    "hi": {
        "drop": "अनदेखा_करें अनदेखा_करो अनदेखा_कर_दो अनदेखा_कर_दें अनदेखा_कीजिए नज़रअंदाज़_करें नज़रअंदाज़_करो नज़रअंदाज़_कर_दो"
        " नज़रअंदाज_करें नजरअंदाज_करें नजरअंदाज_करो नज़रअंदाज़_कर_दें भूल_जाओ भूल_जाएं भूल_जाइए भूल_जाएँ उपेक्षा_करें उपेक्षा_करो"
        " पालन_मत_करो पालन_न_करें अनसुना_करें ध्यान_मत_दो रद्द_करो रद्द_कर_दो छोड़_दो नज़रअंदाज़_कीजिए अनदेखी_करें अनदेखी_करो अनसुना_कर_दो",
        "all": "हर प्रत्येक सभी सब सारे सारी पिछले पिछली पहले उपरोक्त ऊपर पूर्व मौजूदा पुराने पुरानी समस्त तमाम",
        "your": "अपने अपनी अपना आपके तुम्हारे तुम्हें आपको दिए_गए दी_गई",
        "rules": "निर्देश* नियम* आदेश* हिदायत* प्रॉम्प्ट* प्रोम्प्ट* दिशानिर्देश* दिशा-निर्देश* पाबंदि* प्रतिबंध* निर्देशों नियमों आदेशों",
        "rest": "ऊपर_की_सब ऊपर_कही_गई_सारी_बातें सब_कुछ_जो_तुम्हें पहले_बताई_गई_सब",
        "show": "दिखाओ दिखाएं दिखाइए बताओ बताएं बताइए भेजो भेजें भेजिए भेज_दो भेज_दें साझा_करें साझा_करो प्रकट_करो प्रकट_करें उजागर_करो"
        " उजागर_करें दोहराओ दोहराएं छापो लीक_करो दे_दो सौंप_दो दिखा_दो बता_दो",
        "prompt": "सिस्टम_प्रॉम्प्ट* सिस्टम_प्रोम्प्ट* सिस्टम_निर्देश* छिपे_निर्देश* छिपे_हुए_निर्देश* गुप्त_निर्देश* आंतरिक_निर्देश*"
        " अपने_निर्देश",
        "secrets": "पासवर्ड एपीआई_कुंजी* api_कुंजी* api_keys कुंजियाँ कुंजियां लॉगिन_जानकारी क्रेडेंशियल* ग्राहक_सूची ग्राहकों_की_सूची"
        " गोपनीय_जानकारी टोकन",
        "role": "अब_तुम अब_आप अब_से_तुम अब_से_आप आज_से_तुम तुम_अब आप_अब नाटक_करो की_तरह_व्यवहार चालू_करो सक्रिय_करो मोड_में_जाओ",
        "free": "बिना_किसी_प्रतिबंध बिना_किसी_नियम बिना_नियम* बिना_प्रतिबंध* बिना_सीमा* असीमित बिना_फ़िल्टर* बिना_रोक-टोक डेवलपर_मोड"
        " एडमिन_मोड रखरखाव_मोड डिबग_मोड कोई_नियम_नहीं बिना_किसी_रोक बिना_किसी_पाबंदी ",
        "hide": "मत_बताना मत_बताओ न_बताएं न_बताना मत_कहना मत_कहो छिपाओ छिपा_लो छुपाओ छिपाएं सूचित_मत_करो सूचित_न_करें ज़िक्र_मत_करो"
        " उल्लेख_न_करें जिक्र_मत_करना खबर_मत_करो बिना_बताए न_बताइए",
        "user": "उपयोगकर्ता* यूज़र यूजर मालिक ऑपरेटर उपभोक्ता",
        "not": "नहीं न मत कभी_नहीं बिना",
        "machine": "एआई ai कृत्रिम_बुद्धिमत्ता सहायक सहायकों असिस्टेंट असिस्टेंट्स एजेंट एजेंटों चैटबॉट* भाषा_मॉडल llm बॉट",
        "call": "ध्यान_दें ध्यान सूचना संदेश नोट के_लिए सभी",
        "must": "तुम्हें_करना चाहिए होगा अनिवार्य बाध्य ज़रूरी जरूरी पड़ेगा करना_होगा",
        "do": "याद_रख* सहेज* दर्ज* भेज* हटा* मिटा* जोड़* मान* "
        "भेजो भेजें भेजना भेज हटाओ हटाएं हटा_दो मिटाओ मंज़ूर मंजूर स्वीकृत अनुमोदित ट्रांसफर स्थानांतरित प्रकट साझा सहेजो सहेजें"
        " याद_रखो याद_रखें याद_रखना नोट_करो दर्ज पुष्टि सुझाओ सिफारिश सिफ़ारिश चिह्नित संलग्न वापस भुगतान बताओ जोड़ो बताना उजागर सौंपना",
        "self": "मैं_सिस्टम_एडमिन मैं_सिस्टम_प्रशासक मैं_प्रशासक मैं_तुम्हारा_डेवलपर मैं_डेवलपर मैं_एडमिन मैं_आपका_डेवलपर"
        " मैं_सिस्टम_एडमिनिस्ट्रेटर मैं_तुम्हारा_निर्माता",
        "mode": "रखरखाव_मोड डेवलपर_मोड डिबग_मोड एडमिन_मोड मेंटेनेंस_मोड",
        "newest": "नया_नियम नए_नियम नया_निर्देश नए_निर्देश नवीनतम_नियम नवीनतम_निर्देश",
        "over": "की_जगह रद्द_करता रद्द_करते प्राथमिकता ऊपर_है स्थान_लेते स्थान_लेता निरस्त",
        "memory": "याददाश्त मेमोरी स्मृति",
        "always": "हमेशा हर सदा आगे_से",
        "unasked": "बिना_पूछे बिना_पुष्टि बिना_जाँच बिना_जांच बिना_अनुमति बिना_सत्यापन",
        "law": "निर्देशिका कानून क़ानून विनियमन प्राधिकरण अनुसार आयोग धारा",
        "void": "अब_लागू_नहीं लागू_नहीं निरस्त_हैं रद्द_हैं बंद_हैं",
        "money": "खाता खाते भुगतान iban बैंक",
        "lead": "यह इसे यह_बात ये कृपया और अब फिर बस पहले तुरंत अब_से लेकिन को की के जो पूरी_तरह फ़ौरन नमस्ते भी तो",
        "report": "लिखा लिखी कहा कहता बोला कोशिश हमला हमलावर इंजेक्शन उदाहरण जैसे वाक्य पाठ कैसे क्यों अगर यदि हैकर फ़िशिंग टेस्ट"
        " परीक्षण शामिल नामक मांगा माँगा रोका पकड़ा",
    },
}

SOUTH_EAST: Final[Mapping[str, Mapping[str, str]]] = {
    "vi": {
        "drop": "bỏ_qua hãy_bỏ_qua phớt_lờ quên quên_đi hãy_quên lờ_đi đừng_tuân đừng_làm_theo không_tuân_theo gạt_bỏ hủy_bỏ vượt_qua"
        " bỏ_hết xoá_bỏ xóa_bỏ đừng_theo",
        "all": "mỗi "
        "tất_cả mọi toàn_bộ trước trước_đó trước_đây ở_trên bên_trên hiện_có ban_đầu hết các_chỉ_dẫn_trước phía_trên",
        "your": "của_bạn của_mày của_ngươi đã_cho được_giao của_anh",
        "rules": "chỉ_dẫn hướng_dẫn chỉ_thị quy_tắc luật_lệ mệnh_lệnh lệnh quy_định lời_nhắc prompt ràng_buộc giới_hạn nguyên_tắc",
        "rest": "mọi_thứ_ở_trên mọi_điều_ở_trên những_gì_đã_nói tất_cả_những_gì_bạn_được mọi_điều_bạn_được",
        "show": "hiển_thị cho_tôi_xem tiết_lộ gửi in_ra đưa nói_cho_tôi lặp_lại chia_sẻ cung_cấp để_lộ cho_biết liệt_kê công_bố xuất",
        "prompt": "lời_nhắc_hệ_thống prompt_hệ_thống chỉ_dẫn_hệ_thống hướng_dẫn_hệ_thống chỉ_thị_hệ_thống chỉ_dẫn_ẩn chỉ_dẫn_bí_mật"
        " hướng_dẫn_ẩn hướng_dẫn_bí_mật chỉ_dẫn_nội_bộ system_prompt lệnh_hệ_thống câu_lệnh_hệ_thống",
        "secrets": "mật_khẩu khóa_api khoá_api thông_tin_đăng_nhập bí_mật mã_truy_cập danh_sách_khách_hàng dữ_liệu_khách_hàng token",
        "role": "bây_giờ_bạn_là từ_giờ_bạn_là từ_bây_giờ_bạn_là bạn_bây_giờ_là từ_nay_bạn_là giả_vờ hãy_đóng_vai đóng_vai hành_động_như"
        " kích_hoạt chuyển_sang bật từ_giờ_trở_đi_bạn_là kể_từ_giờ_bạn_là vào",
        "free": "không_giới_hạn không_bị_giới_hạn không_có_quy_tắc không_có_giới_hạn không_bị_ràng_buộc không_kiểm_duyệt"
        " chế_độ_nhà_phát_triển chế_độ_quản_trị chế_độ_bảo_trì chế_độ_gỡ_lỗi không_có_luật không_bộ_lọc  không_có_ràng_buộc"
        " không_còn_giới_hạn",
        "hide": "đừng_nói đừng_cho đừng_kể không_được_nói đừng_báo đừng_nhắc đừng_tiết_lộ giấu che_giấu không_báo không_nói_với"
        " không_cho không_thông_báo đừng_thông_báo",
        "user": "người_dùng chủ_sở_hữu người_vận_hành chủ_nhân",
        "not": "không đừng chưa chẳng",
        "machine": "trợ_lý_ai trợ_lý tác_nhân_ai ai mô_hình_ngôn_ngữ chatbot llm trí_tuệ_nhân_tạo các_trợ_lý bot hệ_thống_ai",
        "call": "chú_ý lưu_ý thông_báo gửi_tới gửi_đến dành_cho tin_nhắn_cho ghi_chú_cho",
        "must": "bạn_phải phải cần_phải có_nghĩa_vụ buộc_phải bắt_buộc",
        "do": "hãy_nhớ hãy_lưu coi "
        "gửi chuyển_tiếp xóa xoá phê_duyệt duyệt chuyển chuyển_khoản tiết_lộ lưu ghi_nhớ nhớ ghi_lại xác_nhận đề_xuất giới_thiệu"
        " đánh_dấu đính_kèm chia_sẻ hoàn_tiền thanh_toán thêm cung_cấp trả_lời",
        "self": "tôi_là_quản_trị_viên tôi_là_người_phát_triển tôi_là_nhà_phát_triển tôi_là_lập_trình_viên_của_bạn đây_là_quản_trị_viên"
        " tôi_là_quản_trị_hệ_thống tôi_là_admin",
        "mode": "chế_độ_bảo_trì chế_độ_nhà_phát_triển chế_độ_gỡ_lỗi chế_độ_quản_trị",
        "newest": "quy_tắc_mới quy_định_mới chỉ_thị_mới hướng_dẫn_mới chỉ_dẫn_mới quy_tắc_mới_nhất",
        "over": "thay_thế ghi_đè hủy_bỏ được_ưu_tiên ưu_tiên_hơn",
        "memory": "bộ_nhớ trí_nhớ bộ_nhớ_dài_hạn",
        "always": "luôn_luôn luôn mỗi vĩnh_viễn từ_nay mãi_mãi",
        "unasked": "không_cần_hỏi không_cần_xác_nhận không_cần_kiểm_tra mà_không_hỏi không_cần_phê_duyệt",
        "law": "chỉ_thị nghị_định luật cơ_quan theo thông_tư quy_định điều",
        "void": "không_còn_áp_dụng không_còn_hiệu_lực đã_bị_hủy hết_hiệu_lực đã_bị_vô_hiệu",
        "money": "tài_khoản thanh_toán chuyển_khoản iban hóa_đơn",
        "lead": "hãy vui_lòng xin và bây_giờ sau_đó rồi chỉ trước_tiên ngay ngay_lập_tức từ_giờ nhưng mà những các đi từ_bây_giờ cũng xin_chào"
        " làm_ơn",
        "report": "đã_viết viết_rằng viết nói_rằng bảo cố_gắng tấn_công kẻ_tấn_công chèn ví_dụ câu văn_bản làm_sao như_thế_nào tại_sao nếu"
        " hacker lừa_đảo thử_nghiệm chứa yêu_cầu_rằng chặn phát_hiện có_dòng ghi_rằng",
    },
    "id": {
        "drop": "abaikan abaikanlah lupakan lupakanlah jangan_ikuti jangan_patuhi kesampingkan langgar lewati hiraukan acuhkan"
        " tinggalkan batalkan mengabaikan",
        "all": "semua seluruh segala sebelumnya terdahulu diatas di_atas yang_ada awal sebelum lalu setiap",
        "your": "instruksimu aturanmu pedomanmu perintahmu batasanmu arahanmu "
        "anda kamu mu milikmu kalian yang_diberikan",
        "rules": "instruksi* aturan* pedoman* perintah* arahan* "
        "instruksi instruksimu aturan aturanmu perintah perintahmu arahan pedoman petunjuk prompt peraturan batasan pembatasan"
        " instruksi-instruksi aturan-aturan",
        "rest": "semua_yang_di_atas semua_yang_telah_diberitahukan semua_yang_kamu_tahu segala_yang_di_atas",
        "show": "tampilkan tunjukkan ungkapkan kirim kirimkan berikan beri_tahu beritahu bocorkan cetak ulangi bagikan sebutkan paparkan"
        " teruskan",
        "prompt": "prompt_sistem instruksi_sistem perintah_sistem instruksi_tersembunyi instruksi_rahasia instruksi_internal pesan_sistem"
        " system_prompt instruksimu petunjuk_sistem",
        "secrets": "kata_sandi password sandi kredensial kunci_api rahasia token daftar_pelanggan data_pelanggan",
        "role": "sekarang_kamu_adalah sekarang_anda_adalah mulai_sekarang_kamu_adalah mulai_sekarang_anda_adalah kamu_sekarang anda_sekarang"
        " berpura-puralah berpura-pura bertindaklah_sebagai bertindak_sebagai aktifkan beralih_ke masuk_ke mulai_sekarang_kamu",
        "free": "tanpa_batasan tanpa_aturan tanpa_filter tanpa_batas tanpa_sensor tak_terbatas mode_pengembang mode_admin"
        " mode_administrator mode_pemeliharaan mode_debug  tanpa_pembatasan",
        "hide": "jangan_beri_tahu jangan_beritahu jangan_katakan jangan_sebutkan jangan_informasikan sembunyikan rahasiakan jangan_laporkan"
        " tanpa_memberi_tahu jangan_ungkapkan jangan_bilang jangan_memberi_tahu jangan_kabari",
        "user": "pengguna pemilik operator",
        "not": "tidak jangan bukan tanpa",
        "machine": "ai asisten asisten_ai agen agen_ai model_bahasa chatbot llm bot kecerdasan_buatan para_asisten",
        "call": "perhatian catatan_untuk pesan_untuk untuk_semua pemberitahuan_untuk kepada_semua kepada pengumuman_untuk",
        "must": "kamu_harus anda_harus harus wajib diwajibkan diharuskan",
        "do": "menyimpan* simpanlah catatlah kirimlah hapuslah ingatkan anggap* "
        "kirim kirimkan mengirim hapus menghapus setujui menyetujui transfer ungkapkan mengungkapkan simpan menyimpan ingat ingatlah"
        " catat mencatat konfirmasi konfirmasikan rekomendasikan merekomendasikan tandai lampirkan melampirkan bagikan membagikan"
        " kembalikan bayar tambahkan teruskan meneruskan membocorkan memberikan jawab",
        "self": "saya_administrator saya_adalah_administrator saya_pengembang saya_adalah_pengembang saya_admin ini_administrator"
        " saya_adalah_admin di_sini_administrator saya_adalah_pembuatmu",
        "mode": "mode_pemeliharaan mode_pengembang mode_debug mode_admin mode_administrator",
        "newest": "aturan_baru instruksi_baru aturan_terbaru instruksi_terbaru perintah_baru",
        "over": "menggantikan membatalkan mengesampingkan menimpa diutamakan",
        "memory": "memori ingatan memori_jangka_panjang",
        "always": "selalu setiap selamanya seterusnya",
        "unasked": "tanpa_bertanya tanpa_konfirmasi tanpa_verifikasi tanpa_persetujuan tanpa_memeriksa",
        "law": "peraturan undang-undang otoritas menurut berdasarkan keputusan pasal",
        "void": "tidak_lagi_berlaku tidak_berlaku dicabut dibatalkan dinonaktifkan sudah_tidak_berlaku",
        "money": "rekening pembayaran transfer iban faktur",
        "lead": "dan "
        "tolong mohon harap silakan  sekarang lalu kemudian cukup pertama segera mulai_sekarang tapi tetapi yang sepenuhnya juga"
        " halo langsung",
        "report": "menulis tertulis berkata mengatakan katanya mencoba upaya serangan penyerang injeksi contoh kalimat teks bagaimana mengapa"
        " kenapa jika kalau peretas phishing uji berisi meminta memblokir mendeteksi berbunyi berjudul",
    },
    "th": {
        "drop": "เพิกเฉยต่อ เพิกเฉย ไม่ต้องสนใจ อย่าสนใจ ละเว้น ลืม จงลืม ให้ลืม มองข้าม อย่าทำตาม ไม่ต้องทำตาม ยกเลิก ละเลย จงเพิกเฉย เมินเฉย",
        "all": "ทั้งหมด ก่อนหน้า ก่อนหน้านี้ ที่ผ่านมา ข้างต้น ด้านบน ทุก เดิม ทั้งปวง ที่ได้รับ",
        "your": "ของคุณ ของเธอ ของแก",
        "rules": "คำสั่ง กฎ คำแนะนำ แนวทาง ข้อกำหนด ข้อจำกัด พรอมต์ พรอมปต์ กฎเกณฑ์ ระเบียบ",
        "rest": "ทุกอย่างข้างต้น ทุกสิ่งที่ได้รับแจ้ง สิ่งที่บอกไว้ทั้งหมด ทุกอย่างที่เคยบอก",
        "show": "แสดง เปิดเผย ส่ง บอก พิมพ์ แชร์ ทวน เผยแพร่ ส่งต่อ",
        "prompt": "พรอมต์ระบบ พรอมต์ของระบบ พรอมปต์ระบบ คำสั่งระบบ คำสั่งของระบบ คำสั่งลับ คำสั่งที่ซ่อน คำสั่งภายใน ข้อความระบบ system_prompt",
        "secrets": "รหัสผ่าน คีย์api ข้อมูลล็อกอิน ข้อมูลเข้าสู่ระบบ ความลับ รายชื่อลูกค้า ข้อมูลลูกค้า โทเค็น คีย์_api",
        "role": "ตอนนี้คุณคือ ตอนนี้คุณเป็น จากนี้ไปคุณคือ ต่อไปนี้คุณคือ ต่อจากนี้คุณคือ แกล้งทำเป็น สวมบทบาท ทำตัวเป็น เปิดโหมด เข้าสู่โหมด เปลี่ยนเป็นโหมด"
        " คุณคือ นับจากนี้คุณคือ เปิดใช้งาน จากนี้คุณเป็น",
        "free": "ไม่มีข้อจำกัด ไร้ข้อจำกัด ไม่มีกฎ ไม่จำกัด ไม่มีการเซ็นเซอร์ โหมดนักพัฒนา โหมดผู้พัฒนา โหมดผู้ดูแล โหมดบำรุงรักษา โหมดดีบัก ไม่มีตัวกรอง",
        "hide": "อย่าบอก ห้ามบอก อย่าแจ้ง ไม่ต้องบอก ปิดบัง ปกปิด ซ่อน อย่าเปิดเผย ห้ามแจ้ง ไม่ต้องแจ้ง อย่าเล่า",
        "user": "ผู้ใช้ เจ้าของ ผู้ดำเนินการ",
        "not": "ไม่ อย่า ห้าม",
        "machine": "ผู้ช่วยai เอไอ ผู้ช่วย_ai ผู้ช่วยเอไอ ปัญญาประดิษฐ์ แชตบอต แชทบอท โมเดลภาษา ผู้ช่วยอัตโนมัติ ผู้ช่วยเสมือน เอเจนต์ ai llm ผู้ช่วย",
        "call": "ถึง โปรดทราบ ประกาศ ข้อความถึง เรียน หมายเหตุ แจ้ง",
        "must": "ต้อง คุณต้อง จำเป็นต้อง มีหน้าที่",
        "do": "จำว่า ถือว่า "
        "ส่ง ส่งต่อ ลบ อนุมัติ โอน เปิดเผย บันทึก จดจำ จำไว้ ยืนยัน แนะนำ ทำเครื่องหมาย แนบ แชร์ คืนเงิน ชำระ เพิ่ม บอก",
        "self": "ฉันคือผู้ดูแลระบบ ผมคือผู้ดูแลระบบ ฉันเป็นผู้ดูแลระบบ ผมเป็นผู้ดูแลระบบ ฉันคือผู้พัฒนา ผมคือผู้พัฒนา ผมเป็นผู้พัฒนา นี่คือผู้ดูแลระบบ"
        " ดิฉันเป็นผู้ดูแลระบบ",
        "mode": "โหมดบำรุงรักษา โหมดนักพัฒนา โหมดผู้พัฒนา โหมดดีบัก โหมดผู้ดูแล",
        "newest": "กฎใหม่ คำสั่งใหม่ กฎล่าสุด คำสั่งล่าสุด",
        "over": "แทนที่ ยกเลิกกฎ มีผลเหนือ เหนือกว่า มีความสำคัญเหนือ",
        "memory": "หน่วยความจำ ความจำระยะยาว",
        "always": "เสมอ ทุกครั้ง ตลอดไป ถาวร",
        "unasked": "โดยไม่ต้องถาม โดยไม่ต้องยืนยัน โดยไม่ตรวจสอบ โดยไม่ต้องตรวจสอบ โดยไม่ขออนุญาต",
        "law": "ระเบียบ กฎหมาย ประกาศ ตามคำสั่ง หน่วยงาน มาตรา",
        "void": "ไม่มีผลแล้ว ไม่มีผลบังคับ ถูกยกเลิกแล้ว ใช้ไม่ได้แล้ว",
        "money": "บัญชี ชำระเงิน โอนเงิน iban",
        "lead": "กรุณา โปรด และ แล้ว จากนั้น ตอนนี้ เดี๋ยวนี้ ทันที เพียงแค่ จง ช่วย แต่ ต่อไปนี้ ให้ สวัสดี ด้วย ขอให้ พร้อมทั้ง",
        "report": "เขียนว่า เขียน พูดว่า บอกว่า พยายาม โจมตี แฮกเกอร์ ผู้โจมตี ตัวอย่าง เช่น ประโยค ข้อความว่า อย่างไร ทำไม หากมี ฟิชชิง ทดสอบ ตรวจพบ บล็อก",
    },
}

EAST: Final[Mapping[str, Mapping[str, str]]] = {
    "ja": {
        "drop": "無視して 無視せよ 無視しろ 無視しなさい 無視すること 無視し、 無視してください 忘れて 忘れろ 忘れてください 忘れなさい 破棄して 破棄せよ"
        " 従わないで 従うな 従わず 取り消して 上書きして 無効にして 捨てて 守らないで 守るな 無視のこと 無視願います 破って 無効化して 無視をして",
        "all": "各 全ての あらゆる "
        "すべて 全て 全部 あらゆる これまで 以前 前の 上記 先の 先ほど 今まで 従来 既存 元の いままで 上の 一切 先行 以前の 前回 最初",
        "your": "あなたの お前の 君の 自分の あなたに 与えられ 貴方の",
        "rules": "指示 命令 指令 ルール 規則 規定 プロンプト 制約 制限 ガイドライン 方針 インストラクション コマンド 設定",
        "rest": "上記をすべて 上記の内容 これまでの内容 今までの会話 言われたこと 上の文章",
        "show": "見せて 教えて 表示して 出力して 開示して 公開して 送って 送信して 送れ 明かして 漏らして 繰り返して 共有して 教えろ 渡して 列挙して 送信しろ"
        " 転送して 開示せよ 出力せよ 表示せよ 送信せよ 暴露して",
        "prompt": "システムプロンプト システムの指示 システム指示 システムメッセージ 隠された指示 秘密の指示 内部指示 初期プロンプト 初期指示 あなたの指示"
        " 隠し指示 内部の指示 自分の指示 非公開の指示",
        "secrets": "パスワード 認証情報 apiキー アクセスキー 秘密鍵 トークン 顧客リスト 顧客名簿 ログイン情報 機密情報 暗証番号 顧客データ",
        "role": "あなたは今から 今からあなたは これからあなたは あなたは今 今後あなたは あなたはこれから になりきって として振る舞って のふりをして"
        " として行動して モードに入れ モードに切り替え を有効に に切り替えて 今日からあなたは あなたはもう",
        "free": "制限のない 制限なし 制約のない 制約なし ルールのない 無制限 無検閲 フィルターなし 開発者モード 管理者モード メンテナンスモード デバッグモード"
        " 保守モード 何の制限も 一切の制限 いかなる制限 縛られない 検閲のない",
        "hide": "言わないで 伝えないで 知らせないで 教えないで 話さないで 隠して 伏せて 言うな 伝えるな 知らせるな 知らせず 内緒に 秘密にし 報告しないで"
        " 言ってはいけ 伝えてはいけ 気づかれない 通知しないで 触れないで 話すな 知られない",
        "user": "ユーザー ユーザ 利用者 所有者 オーナー 運用者 オペレーター 使用者",
        "not": "ません ない",
        "machine": "aiアシスタント aiエージェント 人工知能 アシスタント エージェント 言語モデル チャットボット ai llm 自動応答 自動アシスタント",
        "call": "注意 への連絡 へのお知らせ への指示 向け へ告ぐ の皆様 宛て お知らせ 各位 皆さん",
        "must": "必要があり しなければ なければならない 義務 必ず せよ ねばならない 義務付け",
        "do": "削除し 記録し 登録し 送り "
        "送信 転送 削除 承認 送金 振り込 開示 公開 保存 記憶 覚えて 記録 確認済み 推奨 勧めて おすすめ 添付 共有 返金 支払 追加 漏らす 登録 提供 伝えて",
        "self": "私はシステム管理者 私は管理者 私はあなたの開発者 私は開発者 こちらはシステム管理者 こちらは管理者 管理者です。 私があなたの開発者"
        " システム管理者です",
        "mode": "メンテナンスモード 開発者モード デバッグモード 管理者モード 保守モード",
        "newest": "新しいルール 新しい指示 新しい規則 最新の指示 最新のルール 最新の規則 新ルール 新規則",
        "over": "優先 上書き 取って代わ 置き換え 無効と",
        "memory": "長期記憶 メモリ 記憶に",
        "always": "常に いつも 毎回 今後 永久に すべての",
        "unasked": "確認せずに 確認なしで 承認なしで 検証せずに 聞かずに 許可なく 確認なく",
        "law": "規制 法律 指令 当局 規則 に基づき により 条例 通達 第",
        "void": "適用されません 適用されない もう無効 は無効です 解除されました 解除された 廃止されました",
        "money": "口座 支払 振込 送金",
        "lead": "これを このことは これは この件は "
        "どうか 今すぐ そして それから まず 直ちに 今後は ただちに ぜひ 必ず さあ では は、 以後 今から 次に また、 すぐに どうぞ あなたは 至急"
        " を、 そのまま",
        "report": "と書い と言っ という文 と記載 という指示 という命令 攻撃 ハッカー インジェクション 例えば たとえば どうやって なぜ もし フィッシング"
        " テスト 試み 検出 ブロック 含む 含ま と要求 と頼 書かれ 文言 一文",
    },
    "ko": {
        "drop": "무시하* 무시해* 무시하라* 무시할_것 무시하십시오 무시하세요 무시바랍니다 잊어* 잊으* 잊고 따르지_마* 따르지_말* 버려* 파기하*"
        " 무효화하* 우회하* 준수하지_마* 어기* 덮어써* 무시",
        "all": "각 매 "
        "모든 이전* 앞선 위의 위에 기존* 지금까지* 전부 모두 앞서 종전* 원래* 상기 이때까지 일체의",
        "your": "너의 당신의 네 너에게 당신에게 자신의 받은 주어진",
        "rules": "지시* 지침* 명령* 규칙* 규정* 프롬프트* 제한* 제약* 가이드라인* 설정*",
        "rest": "위의_모든_내용* 지금까지_들은* 지금까지의_모든* 앞의_내용*",
        "show": "보여* 알려* 출력하* 출력해* 공개하* 공개해* 보내* 전송하* 전송해* 말해* 유출하* 반복하* 반복해* 공유하* 공유해* 넘겨* 노출하* 나열하* 제공하*",
        "prompt": "시스템_프롬프트* 시스템프롬프트* 시스템_지시* 시스템_메시지* 숨겨진_지시* 비밀_지시* 내부_지시* 초기_프롬프트* 숨겨진_지침* 내부_지침* 비밀_지침*"
        " 시스템_지침* 숨겨진_명령* 초기_지침*",
        "secrets": "비밀번호* 암호* api_키* api키* 인증_정보* 로그인_정보* 자격_증명* 토큰* 고객_명단* 고객_목록* 비밀_키* 패스워드* 접속_정보*",
        "role": "너는_이제 이제_너는 당신은_이제 이제_당신은 이제부터_너는 지금부터_너는 지금부터_당신은 이제부터_당신은 척해* 처럼_행동해* 역할을_해* 활성화하*"
        " 모드로_전환* 행동하* 연기하* 이제부터_넌",
        "free": "제한_없* 제한이_없* 제약_없* 제약이_없* 규칙이_없* 규칙_없* 무제한* 검열_없* 필터_없* 개발자_모드* 관리자_모드* 유지보수_모드* 디버그_모드*"
        " 점검_모드* 어떤_제한도 아무런_제한* 아무_제한*",
        "hide": "말하지_마* 알리지_마* 말하지_말* 알리지_말* 숨겨* 숨기* 언급하지_마* 언급하지_말* 보고하지_마* 보고하지_말* 비밀로_해* 모르게_해* 통보하지_마*"
        " 밝히지_마* 밝히지_말* 이야기하지_마* 비밀로_하*",
        "user": "사용자* 소유자* 운영자* 이용자* 주인*",
        "not": "않* 안 못 마 말",
        "machine": "ai 인공지능* 어시스턴트* 에이전트* 언어_모델* 챗봇* llm 비서* 자동화_비서* ai비서* 도우미* ai에이전트*",
        "call": "주의 알림 에게 공지 안내 모든 대상 참고",
        "must": "해야 반드시 의무* 하여야 합니다",
        "do": "보관* 등록* 남기* 여기* "
        "보내* 전송* 전달* 삭제* 승인* 이체* 송금* 공개* 저장* 기억하* 기억해* 기록* 확인* 추천* 표시* 첨부* 공유* 환불* 지불* 추가* 유출* 제공*",
        "self": "나는_시스템_관리자* 나는_관리자* 나는_너의_개발자* 저는_시스템_관리자* 저는_관리자* 나는_개발자* 나는_당신의_개발자* 시스템_관리자입니다"
        " 나는_네_개발자*",
        "mode": "유지보수_모드* 개발자_모드* 디버그_모드* 관리자_모드* 점검_모드*",
        "newest": "새_규칙* 새로운_규칙* 새_지침* 새로운_지침* 최신_규칙* 최신_지침* 새로운_지시* 새_지시*",
        "over": "대체* 우선합* 우선하* 덮어* 무효로* 앞서*",
        "memory": "장기_기억* 메모리* 기억에",
        "always": "항상 언제나 매번 앞으로 영구*",
        "unasked": "확인_없이 묻지_않고 검증_없이 승인_없이 허락_없이",
        "law": "법* 규정* 지침* 당국* 따라 의거* 조례* 고시* 위원회*",
        "void": "더_이상_적용되지* 적용되지_않* 해제되었* 무효입니다 폐지되었* 해제됐*",
        "money": "계좌* 결제* 송금* 이체*",
        "lead": "이것을 이_일은 이_사실을 이를 이_내용을 "
        "제발 그리고 이제 지금 지금부터 이제부터 먼저 즉시 당장 다음 앞으로 그냥 부디 전부 모두 하지만 그런 너는 당신은 너에게 당신에게 완전히 바로"
        " 또한 안녕하세요 에이아이",
        "report": "라고 적혀* 썼* 말했* 쓰여* 써_있* 공격* 해커* 주입* 인젝션* 예를 예시* 문장* 문구* 어떻게 왜 만약 피싱* 테스트* 시도* 탐지* 차단*"
        " 포함* 요청했* 요구했* 라는",
    },
}
