"""What announces a secret in some thirty languages: the nouns, by kind of secret. See `secret_announced.py`."""

from typing import Final


def _listed(nouns: str) -> tuple[str, ...]:
    return tuple(" ".join(noun.split()) for noun in nouns.split("|"))


PASSWORDS: Final = _listed(
    """
    password|passphrase|passcode|passwort|kennwort|passwörter|losungswort|zugangswort|wachtwoord|lösenord|adgangskode|kodeord|passord
    |salasana|mot de passe|mots de passe|phrase secrète|phrase de passe|contraseña|contrasena|palabra clave|clave de acceso
    |frase secreta|senha|palavra-passe|palavra passe|parola d'ordine|parolă|hasło|hasła|hasłem|heslo|hesla|jelszó|geslo|lozinka|zaporka
    |парол|лозинка|κωδικός πρόσβασης|συνθηματικό|şifre|parola|كلمة المرور|كلمة السر|كلمة مرور|كلمة سر|رمز عبور|گذرواژه|סיסמה|סיסמא|סיסמת
    |पासवर्ड|कूटशब्द|পাসওয়ার্ড|கடவுச்சொல்|mật khẩu|kata sandi|kata laluan|รหัสผ่าน|パスワード|合言葉|パスフレーズ|비밀번호|패스워드|암호
    |密码|密碼|口令|wifi-code|wlan-schlüssel|wlan-code|wifi key|wi-fi key|clé wifi|clé wi-fi|clave wifi|clave del wifi|clave wi-fi
    |chiave wifi|codice wifi|chave wifi|klucz wifi|recovery code|recovery key|backup code|wiederherstellungscode
    |wiederherstellungsschlüssel|code de récupération|código de recuperación|código de recuperação|codice di recupero|kod odzyskiwania
    |код восстановления|復旧コード|リカバリーコード|복구 코드|恢复码|herstelcode|kurtarma kodu
    """
)
PINS: Final = _listed(
    """
    pin|pin-code|pincode|pin code|geheimzahl|türcode|tür-code|torcode|türpin|zahlenkombination|alarmcode|tresorcode|zugangscode
    |door code|gate code|entry code|alarm code|access code|safe code|lock code|keypad code|deurcode|toegangscode|alarmcode|portkod
    |dörrkod|larmkod|code pin|digicode|code d'entrée|code de la porte|code d'accès|code de l'alarme|code du portail|code du coffre
    |code de porte|código pin|código de la puerta|código de acceso|código de alarma|clave de la alarma|código de entrada
    |código de la alarma|código del portal|código da porta|código de acesso|código do alarme|código do portão|codice pin
    |codice della porta|codice d'accesso|codice di accesso|codice dell'allarme|codice del cancello|codice porta|kod pin
    |kod do drzwi|kod do bramy|kod do domofonu|kod dostępu|kod alarmu|kód ke dveřím|kód alarmu|kód k bráně|пин-код|пин код|код от двери
    |код домофона|код доступа|код от сейфа|код от домофона|код сигнализации|пін-код|код від дверей|код доступу|kapı kodu|alarm kodu
    |giriş kodu|رمز الباب|رمز الدخول|رقم سري|الرقم السري|رمز pin|दरवाज़े का कोड|पिन|mã pin|mã cửa|mã số cửa|kode pin|kode pintu|kode akses
    |รหัสประตู|รหัสพิน|暗証番号|玄関コード|ドアコード|入室コード|핀 번호|현관 비밀번호|출입 코드|도어 코드|门禁码|门锁码|取件码|解锁码|codul pin
    |codul de acces|codul ușii
    """
)
KEYS: Final = _listed(
    """
    api-schlüssel|api schlüssel|api-sleutel|api-nyckel|clé api|clé d'api|clé secrète|clave api|clave de api|clave secreta|chave api
    |chave de api|chave da api|chiave api|klucz api|klíč api|api klíč|api-klíč|ключ api|api-ключ|ключ апи|api anahtarı|مفتاح api|مفتاح واجهة
    |एपीआई कुंजी|khóa api|kunci api|คีย์ api|apiキー|api キー|アクセスキー|秘密鍵|トークン|api 키|api키|토큰|액세스 키|密钥|秘钥|令牌|zugriffsschlüssel
    |zugangsschlüssel|zugangstoken|jeton d'accès|jeton|token de acceso|token de acesso|token di accesso|token dostępu|токен|erişim anahtarı
    """
)
LOGINS: Final = _listed(
    """
    zugangsdaten|anmeldedaten|inloggegevens|identifiants|credenciales|credenciais|credenziali|dane logowania|přihlašovací údaje
    |учётные данные|учетные данные|облікові дані|giriş bilgileri|بيانات الدخول|thông tin đăng nhập|kredensial|ログイン情報|로그인 정보|登录信息
    |inloggningsuppgifter|date de autentificare
    """
)

_KINDS: Final = ((PASSWORDS, "password"), (PINS, "pin"), (KEYS, "api_key"), (LOGINS, "login"))
NOUNS: Final = tuple((noun, kind) for nouns, kind in _KINDS for noun in sorted(nouns, key=len, reverse=True))
"""(Noun in small letters, kind of what it announces)."""

STATUS: Final = frozenset(
    [
        "pflicht",
        "standard",
        "sache",
        "geheim",
        "geheimsache",
        "tabu",
        "unsinn",
        "schrott",
        "müll",
        "bitwarden",
        "keepass",
        "keepassxc",
        "1password",
        "lastpass",
        "okta",
        "vault",
        "tresor",
        "keychain",
        "dashlane",
        "azure",
        "active",
        "directory",
        "ldap",
        "saml",
        "sso",
        "oauth",
        "oauth2",
        "sha256",
        "sha512",
        "sha-256",
        "bcrypt",
        "argon2",
        "argon2id",
        "md5",
        "aes-256",
        "utf-8",
        "base64",
        "2fa",
        "mfa",
        "totp",
        "u2f",
        "fido2",
        "webauthn",
        "confluence",
        "jira",
        "slack",
        "teams",
        "sharepoint",
        "github",
        "gitlab",
        "google",
        "microsoft",
        "apple",
        "chrome",
        "firefox",
        "windows",
        "linux",
        "android",
        "iphone",
        "obligatoire",
        "requis",
        "obligatorio",
        "obbligatorio",
        "obrigatório",
        "wymagane",
        "verplicht",
    ]
)
"""Words that follow «the password is» in other languages or name where it is kept, written with a capital or a sign."""
