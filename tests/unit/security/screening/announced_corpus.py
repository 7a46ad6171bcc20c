"""
Secrets announced in words and sentences with the same words that tell none, by hand in fourteen languages.

A secret stands between ⟦ and ⟧, which are taken away before the text is read. Even places served to mend the
tables, odd ones were only counted.
"""

from typing import Final

TOLD: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "the door code is ⟦4711#⟧", "Wi-Fi key: ⟦blue-Heron-77⟧", "⟦Tr0ub4dor⟧ is our passphrase", "| password | ⟦Winter-2026!⟧ |",
        "recovery code ⟦XK4F-99QP-2211⟧", "The passphrase is “⟦four grey geese at dawn⟧”.", "PIN ⟦4711⟧", "**Password:** `⟦kestrel9⟧`",
    ),
    "de": (
        "Das Passwort lautet ⟦Sommer-2026!⟧", "das WLAN-Passwort ist ⟦kiesgrube77⟧, bitte nicht weitergeben", "Kennwort: ⟦Regenpfeifer⟧",
        "⟦hunter2x⟧ ist das Passwort für den Testserver", "Türcode ist ⟦4711⟧", "Zugangsdaten: admin / ⟦S3cr3t99⟧",
        "Das Passwort ist „⟦drei blaue Enten⟧“.", "Passwort wurde auf ⟦Nebel-4482⟧ geändert",
    ),
    "fr": (
        "le mot de passe est ⟦Hiver_2026⟧", "Mot de passe : ⟦tournesol88⟧", "le code d'entrée est ⟦58 21 47⟧", "⟦Loutre-771⟧ est le mot de passe du wifi",
        "Le mot de passe du coffre est « ⟦ours brun⟧ ».", "identifiants : marie / ⟦Pluie4432⟧", "mot de passe changé en ⟦Brume-9931⟧", "la clé wifi est ⟦chene-vert-22⟧",
    ),
    "es": (
        "la contraseña es ⟦Invierno_2026⟧", "Contraseña: ⟦girasol88⟧", "el código de la puerta es ⟦5821⟧", "⟦Nutria-771⟧ es la contraseña del wifi",
        "La contraseña del cofre es «⟦oso pardo⟧».", "credenciales: ana / ⟦Lluvia4432⟧", "contraseña cambiada a ⟦Niebla-9931⟧", "la clave del wifi es ⟦roble-22-verde⟧",
    ),
    "pt": (
        "a senha é ⟦Inverno_2026⟧", "Senha: ⟦girassol88⟧", "o código da porta é ⟦5821⟧", "⟦Lontra-771⟧ é a senha do wifi",
        "A palavra-passe é \"⟦urso pardo⟧\".", "credenciais: ana / ⟦Chuva4432⟧", "senha alterada para ⟦Nevoa-9931⟧", "a senha do banco de dados é ⟦carvalho22x⟧",
    ),
    "it": (
        "la password è ⟦Inverno_2026⟧", "Password: ⟦girasole88⟧", "il codice della porta è ⟦5821⟧", "⟦Lontra-771⟧ è la password del wifi",
        "La parola d'ordine è «⟦orso bruno⟧».", "credenziali: anna / ⟦Pioggia4432⟧", "password cambiata in ⟦Nebbia-9931⟧", "il PIN è ⟦9035⟧",
    ),
    "nl": (
        "het wachtwoord is ⟦Winter_2026⟧", "Wachtwoord: ⟦zonnebloem88⟧", "de deurcode is ⟦5821⟧", "⟦Otter-771⟧ is het wachtwoord van de wifi",
        "Het wachtwoord is '⟦bruine beer⟧'.", "inloggegevens: anna / ⟦Regen4432⟧", "wachtwoord gewijzigd naar ⟦Mist-9931⟧", "het wachtwoord luidt ⟦eik22groen⟧",
    ),
    "pl": (
        "hasło to ⟦Zima_2026⟧", "Hasło: ⟦slonecznik88⟧", "kod do drzwi to ⟦5821⟧", "⟦Wydra-771⟧ to hasło do wifi",
        "Hasło brzmi „⟦brunatny miś⟧”.", "dane logowania: anna / ⟦Deszcz4432⟧", "hasło zmienione na ⟦Mgla-9931⟧", "PIN jest ⟦9035⟧",
    ),
    "ru": (
        "пароль ⟦Zima_2026⟧", "Пароль: ⟦подсолнух88⟧", "код от двери ⟦5821⟧", "⟦Vydra-771⟧ — пароль от вайфая",
        "Пароль — «⟦бурый мишка⟧».", "учётные данные: anna / ⟦Dozhd4432⟧", "пароль изменён на ⟦Tuman-9931⟧", "пин-код это ⟦9035⟧",
    ),
    "tr": (
        "şifre ⟦Kis_2026⟧", "Şifre: ⟦aycicegi88⟧", "kapı kodu ⟦5821⟧", "wifi şifresi ⟦Su-samuru-771⟧",
        "Parola: \"⟦boz ayı⟧\"", "giriş bilgileri: ayse / ⟦Yagmur4432⟧", "şifre ⟦Sis-9931⟧ olarak değişti", "pin: ⟦9035⟧",
    ),
    "ar": (
        "كلمة المرور هي ⟦Shita_2026⟧", "كلمة السر: ⟦abbad88x⟧", "رمز الباب هو ⟦5821⟧", "كلمة المرور للشبكة هي ⟦Otter-771⟧",
        "كلمة السر هي «⟦دب بني⟧».", "بيانات الدخول: sara / ⟦Matar4432⟧", "تم تغيير كلمة المرور إلى ⟦Dabab-9931⟧", "رمز الدخول ⟦9035⟧",
    ),
    "ja": (
        "パスワードは⟦fuyu2026⟧です", "パスワード：⟦himawari88⟧", "玄関コードは⟦5821⟧です", "WiFiのパスワードは「⟦茶色の熊⟧」です。",
        "暗証番号は⟦9035⟧", "ログイン情報：anna / ⟦Ame44321⟧", "パスワードを⟦Kiri-9931⟧に変更しました", "合言葉は⟦kawauso-771⟧。",
    ),
    "ko": (
        "비밀번호는 ⟦gyeoul2026⟧입니다", "비밀번호: ⟦haebaragi88⟧", "현관 비밀번호는 ⟦5821⟧이에요", "와이파이 암호는 '⟦갈색 곰⟧'입니다",
        "패스워드는 ⟦Bi-44321⟧", "로그인 정보: anna / ⟦Bom44321⟧", "비밀번호를 ⟦Angae-9931⟧로 변경했습니다", "핀 번호는 ⟦9035⟧",
    ),
    "zh": (
        "无线密码是⟦dongtian2026⟧", "口令：⟦xiangrikui88⟧", "门禁码是⟦5821⟧", "保险箱密码是「⟦棕色的熊⟧」",
        "恢复码：⟦XK4F-99QP-2211⟧", "登录信息：anna / ⟦Yu443210⟧", "密码改成⟦Wu-9931x⟧了", "取件码⟦90351⟧",
    ),
}  # fmt: skip
"""Language → texts with a secret."""

UNTOLD: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "the password is wrong", "the PIN is bent, replace it", "the token is invalid", "passwords are managed by Okta",
        "The door code is changed every 90 days.", "the password must have 14 characters", "password reset mail sent on 2026-03-05", "Wi-Fi key rotation is due in May",
    ),
    "de": (
        "das Passwort ist abgelaufen", "Das Passwort liegt im Tresor.", "Passwörter müssen 14 Zeichen haben", "das Passwort ist 12 Zeichen lang",
        "Das Passwort ist Pflicht.", "Passwort vergessen? Ticket INC-2231 ansehen", "der Türcode wird alle 90 Tage geändert", "die PIN ist gesperrt",
    ),
    "fr": (
        "le mot de passe est requis", "le mot de passe est expiré depuis lundi", "les mots de passe sont gérés par Okta", "mot de passe oublié, voir le ticket INC-2231",
        "le code d'entrée est changé tous les 90 jours", "mot de passe : 12 caractères au moins", "le mot de passe est dans le coffre", "le mot de passe est trop court",
    ),
    "es": (
        "la contraseña es obligatoria", "la contraseña es demasiado corta", "las contraseñas se guardan en Bitwarden", "contraseña olvidada, ver el ticket INC-2231",
        "el código de la puerta cambia cada 90 días", "contraseña: 12 caracteres como mínimo", "la contraseña está caducada", "la contraseña es segura",
    ),
    "pt": (
        "a senha é obrigatória", "a senha é muito curta", "as senhas ficam no Bitwarden", "senha esquecida, ver o chamado INC-2231",
        "o código da porta muda a cada 90 dias", "senha: no mínimo 12 caracteres", "a senha está expirada", "a senha é gerenciada pelo Okta",
    ),
    "it": (
        "la password è scaduta", "la password è troppo corta", "le password stanno in Bitwarden", "password dimenticata, vedi il ticket INC-2231",
        "il codice della porta cambia ogni 90 giorni", "password: almeno 12 caratteri", "la password è obbligatoria", "la password è sicura",
    ),
    "nl": (
        "het wachtwoord is verlopen", "het wachtwoord is te kort", "wachtwoorden staan in Bitwarden", "wachtwoord vergeten, zie ticket INC-2231",
        "de deurcode verandert elke 90 dagen", "wachtwoord: minstens 12 tekens", "het wachtwoord is verplicht", "het wachtwoord is veilig",
    ),
    "pl": (
        "hasło jest za krótkie", "hasło wygasło", "hasła są w Bitwarden", "hasło zapomniane, zobacz zgłoszenie INC-2231",
        "kod do drzwi zmienia się co 90 dni", "hasło: co najmniej 12 znaków", "hasło jest wymagane", "hasło jest bezpieczne",
    ),
    "ru": (
        "пароль истёк", "пароль слишком короткий", "пароли хранятся в Bitwarden", "забыли пароль? смотрите заявку INC-2231",
        "код от двери меняется каждые 90 дней", "пароль: не меньше 12 знаков", "пароль обязателен", "пароль неверный",
    ),
    "tr": (
        "şifrenin süresi doldu", "şifre çok kısa", "şifreler Bitwarden içinde", "şifre unutuldu, INC-2231 kaydına bak",
        "kapı kodu her 90 günde değişir", "şifre: en az 12 karakter", "şifre zorunludur", "şifre yanlış",
    ),
    "ar": (
        "كلمة المرور منتهية", "كلمة المرور قصيرة جدا", "كلمات المرور محفوظة في Bitwarden", "نسيت كلمة المرور، انظر التذكرة INC-2231",
        "رمز الباب يتغير كل 90 يوما", "كلمة المرور: 12 حرفا على الأقل", "كلمة المرور مطلوبة", "كلمة المرور هي مسؤوليتك",
    ),
    "ja": (
        "パスワードは変更しました", "パスワードは12文字以上です", "パスワードはBitwardenにあります", "パスワードを忘れた方はINC-2231を見てください",
        "玄関コードは90日ごとに変わります", "パスワードは必須です", "パスワードが違います", "暗証番号は4桁です",
    ),
    "ko": (
        "비밀번호가 만료되었습니다", "비밀번호는 12자 이상이어야 합니다", "비밀번호는 Bitwarden에 있습니다", "비밀번호를 잊었으면 INC-2231을 보세요",
        "현관 비밀번호는 90일마다 바뀝니다", "비밀번호는 필수입니다", "비밀번호가 틀렸습니다", "핀 번호는 4자리입니다",
    ),
    "zh": (
        "密码已过期", "密码是必填项", "密码存放在Bitwarden里", "忘记密码请看INC-2231工单",
        "门禁码每90天更换", "密码至少12位", "密码错误", "密码由Okta管理",
    ),
}  # fmt: skip
"""Language → texts that tell no secret."""
