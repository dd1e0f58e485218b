"""German."""

from gateway.texts.de_answering import ANSWERING
from gateway.texts.de_files import FILES
from gateway.texts.de_jobs import JOBS

SENTENCES = {
    **FILES,
    **ANSWERING,
    **JOBS,
    "apology": (
        "Entschuldige, das konnte ich nicht beantworten: es ist dreimal misslungen. Frag bitte noch einmal, "
        "vielleicht mit anderen Worten."
    ),
    "refused": "Entschuldige, das Modell lehnt diese Anfrage so ab. Frag bitte noch einmal mit anderen Worten.",
    "empty": "(Das Modell hat nichts geantwortet.)",
    "model.refused_key": (
        "Mein Modellanbieter weist meinen Schlüssel zurück, darum kann ich gerade nicht antworten. Wer mich "
        "betreibt, sieht den Grund im Log. Deine Nachricht ist sicher; ich antworte, sobald es wieder geht."
    ),
    "model.unknown_model": (
        "Mein Modellanbieter kennt das Modell {model} nicht, darum kann ich gerade nicht antworten. Wer mich "
        "betreibt, kann das richten. Deine Nachricht ist sicher; ich antworte, sobald es wieder geht."
    ),
    "model.rate_limit": (
        "Das Modell {model} nimmt gerade keine Anfragen mehr an{when}. Deine Nachricht ist sicher; ich antworte, "
        "sobald es das wieder tut."
    ),
    "model.outage": (
        "Ich erreiche das Modell {model} gerade nicht. Deine Nachricht ist sicher; ich antworte, sobald es wieder da "
        "ist."
    ),
    "model.timeout": (
        "Das Modell {model} antwortet gerade nicht. Deine Nachricht ist sicher; ich antworte, sobald es das wieder tut."
    ),
    "model.when": " und bittet, es in {seconds} s noch einmal zu versuchen",
    "model.gone": (
        "Das Modell war einen Tag lang nicht zu erreichen, darum habe ich das aufgegeben. Frag bitte später noch "
        "einmal."
    ),
    "working": "arbeitet daran …",
    "sealed": (
        "Deine Mail kann ich nicht lesen: sie ist verschlüsselt, und ich habe keinen Schlüssel. Schick sie bitte "
        "noch einmal unverschlüsselt."
    ),
    "forged": (
        "Eine Mail, die von {sender} zu sein behauptet, hat mich erreicht, und ich habe sie verworfen: {why}. Wenn "
        "sie von dir war, muss dein Mailanbieter oder mein Postfach besser eingerichtet werden; wenn nicht, wollte "
        "jemand in deinem Namen sprechen."
    ),
    "fresh.idle": "(Ein neuer Anfang: hier wurde {hours:g} h nichts gesagt.)",
    "fresh.daily": "(Ein neuer Anfang: um {at} hat ein neuer Tag begonnen.)",
    "fresh.back": "`/resume` führt zu „{title}“ zurück.",
    "choice.resume": "Fortsetzen",
    "keep.warning": "(Das Gespräch „{title}“ endet in {minutes} min, wenn nichts mehr gesagt wird.)",
    "keep.about": "das Gespräch „{title}“ behalten",
    "choice.keep.keep": "Behalten",
    "choice.keep.end": "Enden lassen",
    "keep.kept": "„{title}“ geht weiter.",
    "keep.ends": "Es endet von selbst.",
    "keep.over": "Dieses Gespräch ist schon zu Ende; `/resume` führt dorthin zurück.",
    "continues": "weiter von {platform}, vor {ago}",
    "untitled": "ohne Titel",
    "new": "Ein neuer Anfang. Was wir bisher gesagt haben, ist abgeschlossen.",
    "nothing_to_close": "Nichts abzuschließen: das ist schon ein neuer Anfang.",
    "sessions.now": "Jetzt: {title}",
    "sessions.line": "{n}: {title}, vor {ago}",
    "sessions.none": "Hier gibt es noch kein früheres Gespräch.",
    "sessions.not_found": "Hier hieß nichts so, und nichts davon wurde gesagt: „{words}“.",
    "sessions.how": "`/resume N` führt zu einem zurück, `/sessions WÖRTER` sucht.",
    "sessions.more": "{count} weitere; `/sessions WÖRTER` findet sie.",
    "resumed": "Zurück zu „{title}“; ich weiß, was wir dort gesagt haben.",
    "resume.here": "Wir sind schon in „{title}“.",
    "resume.nothing": "Es gibt kein früheres Gespräch, zu dem wir zurückkehren könnten.",
    "resume.unknown": "Ich finde kein früheres Gespräch namens „{title}“. `/sessions` zählt sie auf.",
    "resume.many": "Das passt auf mehrere:",
    "title.set": "Dieses Gespräch heißt jetzt „{title}“.",
    "title.is": "Dieses Gespräch heißt „{title}“. `/title TEXT` ändert das.",
    "title.nothing": "Noch gibt es kein Gespräch zu benennen; schreib zuerst etwas.",
    "unknown_command": "Ich kenne /{word} nicht. Meintest du /{nearest}? /help zählt auf, was ich kann.",
    "unknown_command.bare": "Ich kenne /{word} nicht. /help zählt auf, was ich kann.",
    "not_allowed": "/{word} braucht die Rolle {role}; hier bist du {mine}.",
    "help": (
        "Ich bin {name}. Schreib mir, wie du einem Menschen schreibst. Diese Wörter tun etwas Besonderes:\n\n{commands}"
    ),
    "whoami": "Für mich bist du **{name}** mit der Rolle {role}.\n\nKonten: {accounts}\nZeitzone: {timezone}",
    "whoami.group": "In dieser Gruppe sprichst du mit der Rolle {role}.",
    "stopped": "Angehalten.",
    "stopped.placeholder": "(angehalten)",
    "stopped.parts": "Angehalten; der Rest der Antwort ist zurückgezogen.",
    "stopped.queued": "Angehalten. Ebenfalls zurückgezogen: {count} wartende Nachricht(en).",
    "nothing_to_stop": "Es läuft nichts.",
    "status": "{platforms}\n\nModell: {models}.\n\nEs warten: {waiting}. Es laufen: {running}.{incidents}",
    "status.incident": "\nStörung: {subject} seit {minutes} min.",
    "status.group": "Ich bin da. Einzelheiten gibt es im direkten Gespräch.",
    "receipt.steer": "Verstanden. Ich nehme es beim nächsten Schritt auf.",
    "receipt.followup": "Verstanden. Ich beantworte es nach diesem; davor warten: {count}.",
    "receipt.collect": "Verstanden. Ich beantworte es zusammen mit dem, was du noch schreibst, bis ich fertig bin.",
    "receipt.full": (
        "Das konnte ich nicht behalten: in diesem Gespräch warten schon {most} Nachrichten. Schick es bitte später "
        "noch einmal."
    ),
    "edit.offer": (
        "Du hast eine Nachricht geändert, die ich schon beantwortet habe. Soll ich sie beantworten, wie sie jetzt "
        "ist (`/retry {turn}`)?"
    ),
    "edit.again": "Neu beantworten",
    "queue.is": "Während ich an einer Antwort arbeite: **{mode}**, {means}. Wähle mit `/queue MODUS`: {modes}.",
    "queue.now": "Von jetzt an, während ich an einer Antwort arbeite: **{mode}**, {means}.",
    "queue.unknown": "Den Modus {word} gibt es nicht. Es gibt: {modes}.",
    "queue.group": (
        "In einer Gruppe wartet jede Nachricht, bis sie dran ist, denn niemand soll die Antwort eines anderen lenken."
    ),
    "queue.steer": "was du schreibst, nehme ich beim nächsten Schritt auf",
    "queue.followup": "was du schreibst, wartet, und jede Nachricht bekommt ihre eigene Antwort",
    "queue.collect": "was du schreibst, wartet und bekommt dann zusammen eine Antwort",
    "queue.interrupt": "was du schreibst, hält sie an, und ich beginne mit allem von vorn",
    "retry.nothing": "Hier gibt es nichts, was ich neu beantworten könnte.",
    "undone": (
        "Vergessen: {count} Wortwechsel. 7 Tage lang werden sie aufgehoben; bis dahin holt `/undo back` sie zurück."
    ),
    "undo.back": "Zurückholen",
    "undo.is_back": "Wieder da: {count} Wortwechsel.",
    "undo.nothing": "Hier gibt es nichts zu vergessen oder zurückzuholen.",
    "summary.retry": "die letzte Nachricht neu beantworten",
    "summary.undo": "die letzten Wortwechsel vergessen; eine Zahl darf folgen",
    "summary.queue": "was mit dem geschieht, was du schreibst, während ich arbeite",
    "approval.ask": (
        "Darf ich **{tool}** damit verwenden?{why}\n\n{call}\n\nAntworte mit einem Knopf oder mit `/approve {id}` oder "
        "`/deny {id}`, bis {until}. Keine Antwort heißt nein."
    ),
    "approval.why.outside": (
        "\n\nIn diesem Gespräch stehen Worte anderer ({outside}), und vielleicht wollen sie das. Wenn nicht"
        " *du* es willst,"
        " sag nein."
    ),
    "approval.why.address": (
        "\n\nDiese Adresse hat mir niemand gegeben: du hast sie nicht geschrieben, keine Suche fand sie,"
        " keine Seite verweist"
        " darauf. Eine Adresse kann forttragen, was ich weiß."
    ),
    "message.asked": "{name} hat mich gebeten, dir zu sagen:",
    "approval.long": "… und {count} weitere Zeichen: die Datei dazu enthält alles.",
    "approval.waits": "Ich warte auf dein Wort zu **{tool}**: `/approve {id}` oder `/deny {id}`.",
    "choice.call.once": "Einmal",
    "choice.call.session": "In diesem Gespräch",
    "choice.call.always": "Immer",
    "choice.call.no": "Nein",
    "approval.not_allowed": "Über {tool} zu entscheiden braucht mindestens die Rolle {role}.",
    "approval.elsewhere": (
        "Eine Mail kann das nicht erlauben (`email.approvals` ist aus). Sag `/approve {id}` auf einer anderen "
        "Plattform; `/deny {id}` geht auch per Mail."
    ),
    "approval.decided.once": "Erlaubt: {tool}, dieses eine Mal.",
    "approval.decided.session": "Erlaubt: {tool}, bis dieses Gespräch endet.",
    "approval.decided.always": "Erlaubt: {tool}, von jetzt an. `/deny always` nimmt das zurück.",
    "approval.asked_again": "Von jetzt an frage ich wieder: {tools}.",
    "approval.nothing_allowed": "Nichts ist für länger erlaubt: ich frage jedes Mal.",
    "approval.decided.no": "Nicht erlaubt: {tool}.",
    "summary.help": "was ich kann",
    "summary.start": "was ich kann",
    "summary.whoami": "wer du für mich bist",
    "summary.sessions": "unsere Gespräche hier; Wörter suchen darin",
    "summary.resume": "zu einem früheren Gespräch zurück, nach Nummer oder Titel",
    "summary.title": "diesem Gespräch einen Namen geben",
    "summary.new": "dieses Gespräch abschließen und neu anfangen; ein Titel darf folgen",
    "summary.stop": "die Antwort anhalten, an der ich arbeite, und was du angestellt hast",
    "summary.status": "wie es mir geht",
    "platforms.line": "- {name}: {state}, zuletzt gehört vor {age}, {waiting} zu senden",
    "platforms.how": "`/platforms pause NAME` lässt eine ruhen, `/platforms resume NAME` lässt sie weiterlaufen.",
    "platforms.unknown": "Hier gibt es kein Konto {name}. Es gibt: {names}.",
    "platforms.paused": (
        "{name} ruht jetzt: dort kommt nichts herein und geht nichts hinaus, auch nach einem Neustart. Was Leute "
        "schreiben, wartet auf der Plattform, solange sie es aufhebt. `/platforms resume {name}` lässt sie "
        "weiterlaufen."
    ),
    "platforms.paused_here": (
        "{name} ruht jetzt, und ich kann dich hier nicht mehr hören. `/platforms resume {name}` lässt sie "
        "weiterlaufen, von einer anderen Plattform aus oder mit `dragoman chat` auf meinem Rechner. Was du hier "
        "schreibst, wartet, solange die Plattform es aufhebt."
    ),
    "platforms.paused_already": "{name} ruht schon.",
    "platforms.resumed": "{name} läuft weiter und holt auf.",
    "platforms.runs": "{name} ruht nicht; `/platforms` sagt, wie es steht.",
    "summary.platforms": "wie meine Verbindungen stehen; eine ruhen lassen oder fortsetzen",
    "restart": "Ich bringe zu Ende, was läuft, und starte neu. Deine Nachrichten warten so lange.",
    "summary.restart": "zu Ende bringen, was läuft, und neu starten",
    "summary.pair": "ein weiteres Konto von dir mit einem Code verbinden",
    "offer.none": "Nichts namens {id} wartet auf eine Antwort.",
    "offer.nothing": "Nichts wartet auf deine Antwort.",
    "offer.list": "Das wartet auf deine Antwort; `/approve ID` oder `/deny ID` gibt sie:\n\n{offers}",
    "offer.not_yours": "{id} hast nicht du zu beantworten.",
    "offer.decided": "{id} ist schon beantwortet: {word}, von {name}.",
    "offer.expired": "{id} ist abgelaufen; es ist nichts geschehen.",
    "offer.words": "Auf {id} kann man antworten: {words}.",
    "summary.approve": "ja sagen zu dem, was auf deine Antwort wartet",
    "summary.deny": "nein sagen zu dem, was auf deine Antwort wartet",
    "pair.welcome": "Willkommen, {name}. Du bist jetzt {role}. /help zählt auf, was ich kann.",
    "pair.configured": "Deine Rolle steht in meiner Konfiguration und wird nur dort geändert: du bist {role}.",
    "pair.raised": "Erledigt: du bist jetzt {role}.",
    "pair.known": "Du bist hier schon {role}; der Code ist noch unbenutzt.",
    "pair.wrong": "Dieser Code gilt nicht (mehr).",
    "pair.locked": "Zu viele falsche Codes. Versuch es bitte in einer Stunde wieder.",
    "pair.no_owner": (
        "Ich gehöre noch niemandem. Wenn du mich betreibst, mach auf meinem Rechner mit `dragoman pair new --role "
        "owner` einen Code und schick ihn hierher als `/pair CODE`."
    ),
    "pair.in_group": "Codes gelten nur im direkten Gespräch. Dieser ist jetzt ungültig; hol bitte einen neuen.",
    "pair.crowd": (
        "Von Konten, die ich hier nicht kenne, kamen zu viele falsche Codes. Versuch es bitte in einer Stunde wieder."
    ),
    "pair.direct": "Codes sind für direkte Gespräche. Schick mir /pair dort.",
    "pair.code": (
        "Schick mir `/pair {code}` innerhalb von zehn Minuten von deinem anderen Konto. Ich frage dich hier, bevor "
        "ich es verbinde. Zeig ihn niemandem: wer ihn schickt, will du sein."
    ),
    "request.told": (
        "Ich kenne dich noch nicht. Sprichst du anderswo mit mir? Dann schick dort `/pair {code}`. Sonst ist der "
        "Eigentümer gefragt worden."
    ),
    "request.ask": (
        "{name} ({account}) schreibt mir und ist unbekannt. Wer ist das? (`/approve {id}` oder `/deny {id}` geht auch.)"
    ),
    "request.me": "Dann schick hier `/pair CODE` mit dem Code, den ich dir dort gezeigt habe.",
    "request.known": "{name} ist inzwischen eingelassen, als {role}.",
    "request.denied": "{name} wird nicht eingelassen und hört einen Tag lang nichts mehr.",
    "request.blocked": "{name} ist gesperrt.",
    "request.admitted": "{name} ist als {role} eingelassen.",
    "choice.stranger.me": "Das bin ich",
    "choice.stranger.user": "Als user einlassen",
    "choice.stranger.guest": "Als guest",
    "choice.stranger.deny": "Ablehnen",
    "choice.stranger.block": "Sperren",
    "link.ask": (
        "{name} auf {platform} ({account}) will hier eins mit dir sein: ein Gespräch, ein Gedächtnis, mit der Rolle "
        "{role}. Ist das dein Konto?"
    ),
    "link.ask_other": "{name} will eine Person mit dir sein: ein Gespräch, ein Gedächtnis, beide mit der Rolle {role}.",
    "link.asked_there": "Ich habe dort gefragt, wo dieser Code entstand. Antworte dort, dann geht es hier weiter.",
    "link.asked_other": "Ich frage auch die andere Seite, denn ich kenne euch beide.",
    "link.found": "Diesen Code kenne ich. Eine Frage, bevor ich das Konto verbinde:",
    "link.elsewhere": "Dieser Code ist für dein anderes Konto: schick ihn mir von dort.",
    "choice.link.join": "Verbinden",
    "choice.link.apart": "Verbinden, aber Gespräche trennen",
    "choice.link.no": "Nein",
    "join.begun": "Ich verbinde; es ist getan, sobald dort nichts mehr läuft.",
    "join.refused": "Nichts wird verbunden.",
    "join.forgetting": "Einer von beiden wird bald vergessen. `/forget cancel` dort nimmt das zurück.",
    "join.gone": "Das geht nicht mehr.",
    "join.same": "Dieses Konto ist schon deins.",
    "join.blocked": "Dieses Konto ist gesperrt.",
    "join.configured": (
        "Dieses Konto steht in meiner Konfiguration; wer mich betreibt, muss die Einträge dort verbinden."
    ),
    "join.other_way": (
        "Das Konto eines owner oder admin kann nicht mit einer anderen Person verbunden werden. Schick /pair von "
        "dort und jenen Code vom anderen."
    ),
    "join.config_role": (
        "Beide sind bekannt, also bliebe die niedrigere Rolle, doch deine steht in meiner Konfiguration. Nimm zuerst "
        "das andere Konto seiner Person weg (`dragoman people unlink`), dann verbinde es."
    ),
    "join.last_owner": (
        "Beide sind bekannt, also bliebe die niedrigere Rolle, und ich gehörte niemandem. Nimm zuerst das andere "
        "Konto seiner Person weg (`dragoman people unlink`), dann verbinde es."
    ),
    "join.done": (
        "{name} auf {platform} ({account}) bist jetzt du, mit der Rolle {role}. Nicht du? Einen Tag lang lässt es "
        "sich rückgängig machen."
    ),
    "join.undoing": "Ich nehme es wieder weg, sobald nichts läuft.",
    "join.undone": "Wieder weggenommen: {accounts}. Das gemeinsame Gespräch ist abgeschlossen.",
    "choice.joined.undo": "Rückgängig",
    "export.done": "Alles, was über dich gespeichert ist, als JSON. Bewahr es auf wie ein Tagebuch.",
    "export.too_large": (
        "Diese Unterhaltung nimmt keine so große Datei. `dragoman people export` auf meinem Rechner macht sie."
    ),
    "forget.how": (
        "`/forget WÖRTER` entfernt, was ich mir gemerkt habe und sie enthält. `/forget everything` lässt alles, was "
        "über dich gespeichert ist, einen Tag später verschwinden."
    ),
    "forget.begun": (
        "In {hours} h vergesse ich dich: {stored}. Bis dahin gibt `/export` es heraus, und `/forget cancel` nimmt "
        "das zurück. Wenn es getan ist, hörst du nichts davon."
    ),
    "forget.stays": "Es bleibt, wie es ist: alles geht, wenn die Zeit um ist.",
    "forget.kept": "Nichts wird vergessen.",
    "forget.nothing": "Es gibt nichts zurückzunehmen: niemand bat mich, dich zu vergessen.",
    "forget.last_owner": "Du bist mein einziger owner. Mach zuerst einen anderen: `dragoman pair new --role owner`.",
    "choice.forget.keep": "Alles behalten",
    "summary.export": "alles, was über dich gespeichert ist, als Datei",
    "summary.forget": "entfernen, was ich mir mit diesen Wörtern gemerkt habe, oder alles über dich",
    "group.added": "{who} hat mich in die Gruppe {group} geholt. Ich schweige dort, bis du etwas anderes sagst.",
    "group.was_added": "Ich wurde in die Gruppe {group} geholt. Ich schweige dort, bis du etwas anderes sagst.",
    "group.allowed": "In {group} antworte ich jedem, der mich erwähnt, mit der Rolle guest.",
    "group.leaving": "Ich verlasse {group}.",
    "group.stays": "Ich konnte {group} nicht verlassen, schweige dort aber: {why}",
    "choice.group.allow": "Bei Erwähnung erlauben",
    "choice.group.leave": "Verlassen",
    "direct_only": "Das gehört ins direkte Gespräch mit mir.",
    "on_off": "Sag `/{word} on` oder `/{word} off`.",
    "timezone.is": "Deine Zeitzone ist {zone}. `/timezone Europe/Rome` ändert sie.",
    "timezone.set": "Deine Zeitzone ist jetzt {zone}.",
    "timezone.unknown": "Die Zeitzone {zone} kenne ich nicht; sie heißen wie Europe/Rome oder America/New_York.",
    "home.set": "Was ich ungefragt zu sagen habe, kommt von jetzt an hierher.",
    "quiet.is": "Geplantes wird von {hours} in deiner Zeitzone zurückgehalten. `/quiet off` beendet das.",
    "quiet.none": "Nichts wird zurückgehalten. `/quiet 22:00-07:00` setzt Ruhezeiten.",
    "quiet.unknown": "Ruhezeiten schreibt man wie `/quiet 22:00-07:00`.",
    "plain.on": "Schlicht von jetzt an: Antworten kommen im Ganzen, ohne Emoji-Quittungen und Tabellen.",
    "plain.off": "Nicht mehr schlicht.",
    "apart.on": "Diese Unterhaltung hat von jetzt an ihr eigenes Gespräch.",
    "apart.off": "Diese Unterhaltung gehört wieder zu deinem gemeinsamen Gespräch.",
    "apart.same": "Das ist schon so.",
    "apart.own": "Gruppen und Themen haben ohnehin ihr eigenes Gespräch.",
    "unpair.which": "Welches Konto? Deine sind {accounts}. Sag `/unpair PLATTFORM`.",
    "unpair.last": "Dann hättest du kein Konto mehr. Wer mich betreibt, kann alles entfernen, was ich über dich weiß.",
    "unpair.configured": "Dieses Konto steht in meiner Konfiguration; wer mich betreibt, kann es dort herausnehmen.",
    "unpair.done": "Weggenommen: {accounts}. Mir ist es jetzt fremd.",
    "invite.role": "Einladen kannst du mit einer Rolle bis {most}.",
    "invite.code": (
        "Wer mir `/pair {code}` im direkten Gespräch schickt, wird {role}; einmal, innerhalb von 24 Stunden."
    ),
    "summary.unpair": "eines deiner Konten wegnehmen",
    "summary.apart": "dieser Unterhaltung ein eigenes Gespräch geben: on oder off",
    "summary.timezone": "deine Zeitzone",
    "summary.home": "hierher kommt, wonach niemand gefragt hat",
    "summary.quiet": "Stunden, in denen Geplantes zurückgehalten wird",
    "summary.plain": "schlichte Antworten: on oder off",
    "summary.invite": "ein Code für jemand Neuen; Rolle und Name dürfen folgen",
    "summary.people": "wer eingelassen ist",
    "owner.code": (
        "Ich gehöre noch niemandem. Schick mir `/pair {code}` von deinem Konto oder öffne den Link (eine Stunde "
        "gültig):"
    ),
    "owner.came": "{name} ist jetzt owner.",
    "memory.user": "**Über dich** ({used} von {limit} Zeichen)",
    "memory.memory": "**Notizen** ({used} von {limit} Zeichen)",
    "memory.how": (
        "`/forget WÖRTER` entfernt, was diese Wörter enthält. Was ich notiere, steht vom nächsten Gespräch an vor mir."
    ),
    "memory.nothing": "Über das hinaus, was in unseren Gesprächen gesagt wurde, merke ich mir nichts über dich.",
    "forget.what": "Sag, welche Wörter: `/forget WÖRTER` entfernt, was ich mir gemerkt habe und sie enthält.",
    "forget.no_words": "Nichts, was ich mir gemerkt habe, enthält „{what}“. `/memory` zeigt alles.",
    "forget.done": (
        "Vergessen:\n\n{entries}\n\nEin Gespräch, das vorher begann, weiß es vielleicht noch; `/new` beginnt ein "
        "neues. Was in Gesprächen gesagt wurde, bleibt dort."
    ),
    "summary.memory": "was ich mir über dich merke",
    "usage.line": (
        "{turns} Antworten, {input} Token gesendet (davon {cached} im Zwischenspeicher), {output} empfangen{cost}"
    ),
    "usage.talk": "Dieses Gespräch: {used}",
    "usage.today": "Heute: {used}",
    "usage.month": "Diesen Monat: {used}",
    "usage.job": "Davon für den Auftrag {job}: {used}",
    "usage.everybody": "Diesen Monat, nach Person:",
    "usage.nothing": "Noch wurde nichts verbraucht.",
    "usage.limit.messages": "Antworten heute: {used} von {limit}",
    "usage.limit.tokens": "Token heute: {used} von {limit}",
    "usage.limit.usd": "Kosten diesen Monat: ${used} von ${limit}",
    "budget.nearly.messages": "Du hattest heute {used} der {limit} Antworten, die du haben darfst.",
    "budget.nearly.tokens": "Du hast heute {used} der {limit} Token verbraucht, die du verbrauchen darfst.",
    "budget.nearly.usd": "Du hast diesen Monat ${used} von ${limit} verbraucht.",
    "budget.reached.messages": "Das war die letzte deiner {limit} Antworten für heute.",
    "budget.reached.tokens": "Deine {limit} Token für heute sind verbraucht.",
    "budget.reached.usd": "Deine ${limit} für diesen Monat sind verbraucht.",
    "budget.over.messages": "Du hattest deine {limit} Antworten für heute. Ab Mitternacht antworte ich wieder.",
    "budget.over.tokens": "Deine {limit} Token für heute sind verbraucht. Ab Mitternacht antworte ich wieder.",
    "budget.over.usd": (
        "Deine ${limit} für diesen Monat sind verbraucht. Ab dem Ersten des nächsten Monats antworte ich wieder."
    ),
    "summary.usage": "wie viele Token verbraucht wurden, und deine Grenzen",
    "away": "Ich war {span} nicht erreichbar.",
    "away.came": "Inzwischen gekommen: {count} Nachricht(en) von dir, die ich jetzt beantworte.",
    "away.late": "Nicht beantwortet, weil zu alt: {count} Nachricht(en) von dir; schick noch einmal, was noch zählt.",
    "away.resumed": "Was ich dir noch schuldig war, geht weiter: {count} Nachricht(en).",
    "span.days": "{days} d {hours} h",
    "span.hours": "{hours} h {minutes} min",
    "undelivered": (
        "Eine Nachricht an {conversation} ließ sich nicht zustellen: {why}. Siehe `dragoman outbox show {id}`."
    ),
    "model.lasting": (
        "Das Modell {model} blieb {turns} Versuche hintereinander, {minutes} min lang, ohne Antwort: {why}. "
        "Nachrichten warten; `dragoman status` zeigt, wie viele."
    ),
    "model.over": "Das Modell {model} antwortet nach {minutes} min wieder.",
    "degraded": "{line} ist seit {minutes} min gestört: {why}. Ich versuche es weiter.",
    "recovered": "{line} ist nach {minutes} min Störung wieder da: {why}.",
    "room": "Mir geht der Platz aus: {why}. `dragoman status` zeigt, was ihn braucht.",
    "taken_over": (
        "Ich wurde aus meiner Sicherung vom {when} wiederhergestellt. {deliveries} Nachrichten von mir, die damals "
        "warteten, sind seither vielleicht gesendet worden, und {messages} an mich vielleicht beantwortet: von "
        "selbst wiederhole ich beides nicht. `dragoman outbox list` und `dragoman inbox list` zeigen sie."
    ),
    "resent": "(von Hand noch einmal gesendet)",
}
