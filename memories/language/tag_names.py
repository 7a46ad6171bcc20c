"""
The published list of technical short forms: either spelling is one tag (SPEC M-12).

Where the long form is one word, the word is the tag; else the short form is, for a question is looked
through for tags of at most three words. Left out is what is ambiguous among engineers (auth, prod, PR, TF)
or a word of its own. Our own list; a tenant adds its own by naming an entity twice.
"""

from typing import Final

_WORDS: Final = """
k8s kubernetes; js javascript; ts typescript; py python; db database; dbs databases; postgres postgresql;
psql postgresql; repo repository; repos repositories; config configuration; configs configurations;
authn authentication; authz authorization; authorisation authorization; env environment;
envs environments; docs documentation; i18n internationalization; l10n localization;
a11y accessibility; o11y observability; golang go; mongo mongodb;
infra infrastructure
"""

_PHRASES: Final = """
jwt: json web token; api: application programming interface; rest: representational state transfer;
sql: structured query language; html: hypertext markup language; css: cascading style sheets;
xml: extensible markup language; json: javascript object notation; csv: comma separated values;
http: hypertext transfer protocol; tls: transport layer security; ssl: secure sockets layer; ssh: secure
shell;
tcp: transmission control protocol; udp: user datagram protocol; dns: domain name system;
vpn: virtual private network; cdn: content delivery network; vpc: virtual private cloud; vm: virtual machine;
os: operating system; cpu: central processing unit; gpu: graphics processing unit; ram: random access memory;
ssd: solid state drive; ui: user interface; ux: user experience; gui: graphical user interface;
cli: command line interface; sdk: software development kit; ide: integrated development environment;
ci/cd: continuous integration and delivery; qa: quality assurance; tdd: test driven development;
oop: object oriented programming; orm: object relational mapping; crud: create read update delete;
rbac: role based access control; acl: access control list; sso: single sign on; mfa: multi factor
authentication;
2fa: two factor authentication; oidc: openid connect; saml: security assertion markup language;
xss: cross site scripting; csrf: cross site request forgery; ddos: distributed denial of service;
pii: personally identifiable information; gdpr: general data protection regulation; rls: row level security;
ai: artificial intelligence; llm: large language model; nlp: natural language processing;
ocr: optical character recognition; rag: retrieval augmented generation; gan: generative adversarial network;
cnn: convolutional neural network; rnn: recurrent neural network;
aws: amazon web services; gcp: google cloud platform; s3: simple storage service; saas: software as a service;
paas: platform as a service; iaas: infrastructure as a service; iot: internet of things; b2b: business to
business;
kpi: key performance indicator; okr: objectives and key results; sla: service level agreement;
slo: service level objective; roi: return on investment; mvp: minimum viable product;
crm: customer relationship management; erp: enterprise resource planning; etl: extract transform load;
uuid: universally unique identifier; url: uniform resource locator; regex: regular expression;
grpc: grpc remote procedure call; rpc: remote procedure call; wcag: web content accessibility guidelines
"""


def _read() -> dict[str, str]:
    names = {}
    for entry in _WORDS.split(";"):
        short, word = entry.split()
        names[short] = word
    for entry in _PHRASES.split(";"):
        short, long = (part.strip() for part in " ".join(entry.split()).split(":"))
        names |= {long: short, f"{long}s": short}
        if len(short) > 2 and not short.endswith("s"):
            names[f"{short}s"] = short
    return names


TAG_NAMES: Final = _read()
"""Another spelling to the tag it is, both in lower case with single blanks."""
