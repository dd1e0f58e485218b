"""Spanish."""

from gateway.texts.es_answering import ANSWERING
from gateway.texts.es_files import FILES
from gateway.texts.es_jobs import JOBS

SENTENCES = {
    **FILES,
    **ANSWERING,
    **JOBS,
    "apology": (
        "Perdona, no he podido responder a esto: ha fallado tres veces. Pregúntalo otra vez, quizá con otras palabras."
    ),
    "refused": "Perdona, el modelo rechaza esta petición tal como está. Pregúntalo otra vez con otras palabras.",
    "empty": "(El modelo no ha respondido nada.)",
    "model.refused_key": (
        "Mi proveedor del modelo rechaza mi clave, así que ahora no puedo responder. Quien me administra puede ver "
        "el motivo en el registro. Tu mensaje está a salvo; responderé cuando vuelva a funcionar."
    ),
    "model.unknown_model": (
        "Mi proveedor del modelo no conoce el modelo {model}, así que ahora no puedo responder. Quien me administra "
        "puede arreglarlo. Tu mensaje está a salvo; responderé cuando vuelva a funcionar."
    ),
    "model.rate_limit": (
        "El modelo {model} no acepta más peticiones ahora mismo{when}. Tu mensaje está a salvo; responderé cuando "
        "las acepte."
    ),
    "model.outage": "Ahora mismo no llego al modelo {model}. Tu mensaje está a salvo; responderé cuando vuelva.",
    "model.timeout": "El modelo {model} no responde ahora mismo. Tu mensaje está a salvo; responderé cuando lo haga.",
    "model.when": " y pide que lo intente de nuevo en {seconds} s",
    "model.gone": (
        "El modelo ha estado un día fuera de alcance, así que he renunciado a esto. Pregúntalo de nuevo más tarde."
    ),
    "working": "está trabajando en ello…",
    "sealed": "No puedo leer tu correo: está cifrado y no tengo clave. Envíalo otra vez sin cifrar.",
    "forged": (
        "Me ha llegado un correo que dice ser de {sender}, y lo he descartado: {why}. Si era tuyo, hay que "
        "configurar mejor tu proveedor de correo o mi buzón; si no, alguien ha querido hablar en tu nombre."
    ),
    "fresh.idle": "(Empezamos de nuevo: aquí no se ha dicho nada en {hours:g} h.)",
    "fresh.daily": "(Empezamos de nuevo: a las {at} ha empezado un nuevo día.)",
    "fresh.back": "`/resume` vuelve a «{title}».",
    "choice.resume": "Retomar",
    "keep.warning": "(La charla «{title}» termina en {minutes} min si no se dice nada.)",
    "keep.about": "conservar la charla «{title}»",
    "choice.keep.keep": "Conservarla",
    "choice.keep.end": "Dejar que termine",
    "keep.kept": "«{title}» continúa.",
    "keep.ends": "Terminará sola.",
    "keep.over": "Esa charla ya ha terminado; `/resume` vuelve a ella.",
    "continues": "sigue desde {platform}, hace {ago}",
    "untitled": "sin título",
    "new": "Empezamos de nuevo. Lo que hemos dicho hasta ahora queda cerrado.",
    "nothing_to_close": "No hay nada que cerrar: esto ya es un comienzo nuevo.",
    "sessions.now": "Ahora: {title}",
    "sessions.line": "{n}: {title}, hace {ago}",
    "sessions.none": "Aquí todavía no hay charlas anteriores.",
    "sessions.not_found": "Nada aquí se llamaba así ni se dijo: «{words}».",
    "sessions.how": "`/resume N` vuelve a una, `/sessions PALABRAS` busca.",
    "sessions.more": "{count} más; `/sessions PALABRAS` las encuentra.",
    "resumed": "De vuelta en «{title}»; sé lo que dijimos allí.",
    "resume.here": "Ya estamos en «{title}».",
    "resume.nothing": "No hay ninguna charla anterior a la que volver.",
    "resume.unknown": "No encuentro ninguna charla anterior llamada «{title}». `/sessions` las enumera.",
    "resume.many": "Eso encaja con más de una:",
    "title.set": "Esta charla se llama ahora «{title}».",
    "title.is": "Esta charla se llama «{title}». `/title TEXTO` lo cambia.",
    "title.nothing": "Todavía no hay charla a la que dar nombre; escribe algo primero.",
    "unknown_command": "No conozco /{word}. ¿Querías decir /{nearest}? /help enumera lo que sé hacer.",
    "unknown_command.bare": "No conozco /{word}. /help enumera lo que sé hacer.",
    "not_allowed": "/{word} necesita el rol {role}; aquí eres {mine}.",
    "help": "Soy {name}. Escríbeme como escribirías a una persona. Estas palabras hacen algo especial:\n\n{commands}",
    "whoami": "Para mí eres **{name}**, con el rol {role}.\n\nCuentas: {accounts}\nZona horaria: {timezone}",
    "whoami.group": "En este grupo hablas con el rol {role}.",
    "stopped": "Detenido.",
    "stopped.placeholder": "(detenido)",
    "stopped.parts": "Detenido; el resto de la respuesta queda retirado.",
    "stopped.queued": "Detenido. Retirado también: {count} mensaje(s) en espera.",
    "nothing_to_stop": "No hay nada en marcha.",
    "status": "{platforms}\n\nModelo: {models}.\n\nEn espera: {waiting}. En marcha: {running}.{incidents}",
    "status.incident": "\nProblema: {subject} desde hace {minutes} min.",
    "status.group": "Aquí estoy. Los detalles, en la charla directa.",
    "receipt.steer": "Anotado. Lo tendré en cuenta en el próximo paso.",
    "receipt.followup": "Anotado. Lo respondo después de esto; antes esperan: {count}.",
    "receipt.collect": "Anotado. Lo respondo junto con lo demás que escribas hasta que termine.",
    "receipt.full": "No he podido guardar eso: ya esperan {most} mensajes de esta charla. Envíalo otra vez más tarde.",
    "edit.offer": (
        "Has cambiado un mensaje que ya había respondido. ¿Lo respondo otra vez tal como está ahora (`/retry {turn}`)?"
    ),
    "edit.again": "Responder otra vez",
    "queue.is": "Mientras trabajo en una respuesta: **{mode}**, {means}. Elige con `/queue MODO`: {modes}.",
    "queue.now": "Desde ahora, mientras trabajo en una respuesta: **{mode}**, {means}.",
    "queue.unknown": "No hay ningún modo {word}. Hay: {modes}.",
    "queue.group": "En un grupo cada mensaje espera su turno, pues nadie debe dirigir la respuesta de otro.",
    "queue.steer": "lo que escribas se une en mi próximo paso",
    "queue.followup": "lo que escribas espera, y cada mensaje recibe su propia respuesta",
    "queue.collect": "lo que escribas espera y luego recibe una sola respuesta",
    "queue.interrupt": "lo que escribas la detiene, y empiezo otra vez con todo lo que has dicho",
    "retry.nothing": "Aquí no hay nada que pueda responder otra vez.",
    "undone": "Olvidado: {count} intercambio(s). Se guardan 7 días; hasta entonces `/undo back` los devuelve.",
    "undo.back": "Recuperar",
    "undo.is_back": "De vuelta: {count} intercambio(s).",
    "undo.nothing": "Aquí no hay nada que olvidar ni que recuperar.",
    "summary.retry": "responder otra vez al último mensaje",
    "summary.undo": "olvidar los últimos intercambios; puede seguir un número",
    "summary.queue": "qué pasa con lo que escribes mientras trabajo",
    "approval.ask": (
        "¿Puedo usar **{tool}** con esto?{why}\n\n{call}\n\nResponde con un botón, o con `/approve {id}` o"
        " `/deny {id}`, "
        "hasta {until}. Sin respuesta es un no."
    ),
    "approval.why.outside": (
        "\n\nEn esta conversación hay palabras de otros ({outside}), y quizá son ellas las que lo quieren."
        " Si no lo quieres"
        " *tú*, di que no."
    ),
    "approval.why.address": (
        "\n\nNadie me dio esta dirección: no la escribiste, ninguna búsqueda la encontró y ninguna página"
        " enlaza a ella. Una"
        " dirección puede llevarse lo que sé."
    ),
    "message.asked": "{name} me pidió que te dijera:",
    "approval.long": "… y {count} caracteres más: el archivo adjunto lo contiene todo.",
    "approval.waits": "Espero tu palabra sobre **{tool}**: `/approve {id}` o `/deny {id}`.",
    "choice.call.once": "Una vez",
    "choice.call.session": "En esta charla",
    "choice.call.always": "Siempre",
    "choice.call.no": "No",
    "approval.not_allowed": "Decidir sobre {tool} necesita el rol {role} o más.",
    "approval.elsewhere": (
        "Un correo no puede permitir esto (`email.approvals` está desactivado). Di `/approve {id}` en otra "
        "plataforma; `/deny {id}` también vale por correo."
    ),
    "approval.decided.once": "Permitido: {tool}, solo esta vez.",
    "approval.decided.session": "Permitido: {tool}, hasta que termine esta charla.",
    "approval.decided.always": "Permitido: {tool}, desde ahora. `/deny always` lo retira.",
    "approval.asked_again": "Desde ahora vuelvo a preguntar: {tools}.",
    "approval.nothing_allowed": "No hay nada permitido por más tiempo: pregunto cada vez.",
    "approval.decided.no": "No permitido: {tool}.",
    "summary.help": "lo que sé hacer",
    "summary.start": "lo que sé hacer",
    "summary.whoami": "quién eres para mí",
    "summary.sessions": "nuestras charlas aquí; las palabras buscan en ellas",
    "summary.resume": "volver a una charla anterior, por número o título",
    "summary.title": "dar nombre a esta charla",
    "summary.new": "cerrar esta charla y empezar de nuevo; puede seguir un título",
    "summary.stop": "detener la respuesta en curso y lo que has puesto en espera",
    "summary.status": "cómo me va",
    "platforms.line": "- {name}: {state}, oída por última vez hace {age}, {waiting} por enviar",
    "platforms.how": "`/platforms pause NAME` detiene una, `/platforms resume NAME` la deja seguir.",
    "platforms.unknown": "Aquí no hay ninguna cuenta {name}. Hay: {names}.",
    "platforms.paused": (
        "{name} está ahora en pausa: nada entra ni sale por ahí, tampoco tras un reinicio. Lo que la gente escriba "
        "espera en la plataforma mientras esta lo guarde. `/platforms resume {name}` la deja seguir."
    ),
    "platforms.paused_here": (
        "{name} está ahora en pausa, y aquí ya no te oigo. `/platforms resume {name}` la deja seguir, desde otra "
        "plataforma o con `dragoman chat` en mi máquina. Lo que escribas aquí espera mientras la plataforma lo "
        "guarde."
    ),
    "platforms.paused_already": "{name} ya está en pausa.",
    "platforms.resumed": "{name} sigue y se pone al día.",
    "platforms.runs": "{name} no está en pausa; `/platforms` dice cómo está.",
    "summary.platforms": "cómo están mis conexiones; pausar o reanudar una",
    "restart": "Termino lo que está en marcha y vuelvo a arrancar. Tus mensajes esperan mientras tanto.",
    "summary.restart": "terminar lo que está en marcha y volver a arrancar",
    "summary.pair": "unir otra cuenta tuya con un código",
    "offer.none": "No hay nada llamado {id} que espere respuesta.",
    "offer.nothing": "Nada espera tu respuesta.",
    "offer.list": "Esto espera tu respuesta; `/approve ID` o `/deny ID` la da:\n\n{offers}",
    "offer.not_yours": "{id} no te toca responderlo a ti.",
    "offer.decided": "{id} ya está respondido: {word}, por {name}.",
    "offer.expired": "{id} ha caducado; no se ha hecho nada.",
    "offer.words": "A {id} se puede responder: {words}.",
    "summary.approve": "decir sí a lo que espera tu respuesta",
    "summary.deny": "decir no a lo que espera tu respuesta",
    "pair.welcome": "Te doy la bienvenida, {name}. Ahora eres {role}. /help enumera lo que sé hacer.",
    "pair.configured": "Tu rol está escrito en mi configuración y solo allí se cambia: eres {role}.",
    "pair.raised": "Hecho: ahora eres {role}.",
    "pair.known": "Aquí ya eres {role}; el código sigue sin usar.",
    "pair.wrong": "Ese código no es válido (o ya no lo es).",
    "pair.locked": "Demasiados códigos erróneos. Inténtalo de nuevo dentro de una hora.",
    "pair.no_owner": (
        "Todavía no pertenezco a nadie. Si me administras, crea un código en mi máquina con `dragoman pair new "
        "--role owner` y envíalo aquí como `/pair CODE`."
    ),
    "pair.in_group": "Los códigos solo valen en una charla directa. Este queda anulado; pide uno nuevo.",
    "pair.crowd": (
        "Han llegado demasiados códigos erróneos de cuentas que aquí no conozco. Inténtalo de nuevo dentro de una hora."
    ),
    "pair.direct": "Los códigos son para charlas directas. Envíame /pair allí.",
    "pair.code": (
        "Envíame `/pair {code}` desde tu otra cuenta antes de diez minutos. Te preguntaré aquí antes de unirla. No "
        "se lo enseñes a nadie: quien lo envía pide ser tú."
    ),
    "request.told": (
        "Todavía no te conozco. ¿Hablas conmigo en otro sitio? Envía allí `/pair {code}`. Si no, ya se ha preguntado "
        "al propietario."
    ),
    "request.ask": (
        "{name} ({account}) me escribe y no lo conozco. ¿Quién es? (También vale `/approve {id}` o `/deny {id}`.)"
    ),
    "request.me": "Entonces envía aquí `/pair CODE`, con el código que te mostré allí.",
    "request.known": "A {name} ya se le ha dejado entrar, como {role}.",
    "request.denied": "{name} no entra y no oirá nada más durante un día.",
    "request.blocked": "{name} queda bloqueado.",
    "request.admitted": "{name} entra como {role}.",
    "choice.stranger.me": "Soy yo",
    "choice.stranger.user": "Admitir como user",
    "choice.stranger.guest": "Como guest",
    "choice.stranger.deny": "Rechazar",
    "choice.stranger.block": "Bloquear",
    "link.ask": (
        "{name} en {platform} ({account}) quiere ser uno contigo aquí: una charla, una memoria, con el rol {role}. "
        "¿Es tu cuenta?"
    ),
    "link.ask_other": "{name} quiere ser una sola persona contigo: una charla, una memoria, ambos con el rol {role}.",
    "link.asked_there": "He preguntado donde se hizo ese código. Responde allí y seguimos aquí.",
    "link.asked_other": "Pregunto también a la otra parte, pues os conozco a los dos.",
    "link.found": "Conozco ese código. Una pregunta antes de unir la cuenta:",
    "link.elsewhere": "Ese código es para tu otra cuenta: envíamelo desde allí.",
    "choice.link.join": "Unir",
    "choice.link.apart": "Unir, pero con charlas separadas",
    "choice.link.no": "No",
    "join.begun": "Uniendo; estará hecho en cuanto allí no haya nada en marcha.",
    "join.refused": "No se une nada.",
    "join.forgetting": "Uno de los dos está a punto de ser olvidado. `/forget cancel` allí lo retira.",
    "join.gone": "Eso ya no es posible.",
    "join.same": "Esa cuenta ya es tuya.",
    "join.blocked": "Esa cuenta está bloqueada.",
    "join.configured": (
        "Esa cuenta está escrita en mi configuración; quien me administra tiene que unir allí las entradas."
    ),
    "join.other_way": (
        "Una cuenta de owner o admin no puede unirse a otra persona. Envía /pair desde ella, y ese código desde la "
        "otra."
    ),
    "join.config_role": (
        "Ambos son conocidos, así que quedaría el rol más bajo, pero el tuyo está escrito en mi configuración. Quita "
        "primero la otra cuenta a su persona (`dragoman people unlink`) y luego únela."
    ),
    "join.last_owner": (
        "Ambos son conocidos, así que quedaría el rol más bajo, y no pertenecería a nadie. Quita primero la otra "
        "cuenta a su persona (`dragoman people unlink`) y luego únela."
    ),
    "join.done": (
        "{name} en {platform} ({account}) eres ahora tú, con el rol {role}. ¿No eres tú? Se puede deshacer durante "
        "un día."
    ),
    "join.undoing": "La quito de nuevo, en cuanto no haya nada en marcha.",
    "join.undone": "Quitadas de nuevo: {accounts}. La charla que era común queda cerrada.",
    "choice.joined.undo": "Deshacer",
    "export.done": "Todo lo que hay guardado sobre ti, como JSON. Guárdalo como guardas un diario.",
    "export.too_large": (
        "Esta conversación no acepta un archivo tan grande. `dragoman people export` en mi máquina lo crea."
    ),
    "forget.how": (
        "`/forget PALABRAS` quita lo que recuerdo que las contiene. `/forget everything` hace desaparecer todo lo "
        "guardado sobre ti, un día después."
    ),
    "forget.begun": (
        "Dentro de {hours} h te olvido: {stored}. Hasta entonces `/export` lo entrega y `/forget cancel` lo retira. "
        "Cuando esté hecho no oirás nada."
    ),
    "forget.stays": "Se queda como está: todo se va cuando acabe el plazo.",
    "forget.kept": "No se olvida nada.",
    "forget.nothing": "No hay nada que retirar: nadie me ha pedido que te olvide.",
    "forget.last_owner": "Eres mi único owner. Haz antes otro: `dragoman pair new --role owner`.",
    "choice.forget.keep": "Conservarlo todo",
    "summary.export": "todo lo que hay guardado sobre ti, como archivo",
    "summary.forget": "quitar lo que recuerdo con unas palabras, o todo sobre ti",
    "group.added": "{who} me ha añadido al grupo {group}. Allí callo hasta que digas otra cosa.",
    "group.was_added": "Me han añadido al grupo {group}. Allí callo hasta que digas otra cosa.",
    "group.allowed": "En {group} respondo a quien me mencione, con el rol guest.",
    "group.leaving": "Me voy de {group}.",
    "group.stays": "No he podido irme de {group}, pero allí callo: {why}",
    "choice.group.allow": "Permitir si me mencionan",
    "choice.group.leave": "Salir",
    "direct_only": "Eso es para la charla directa conmigo.",
    "on_off": "Di `/{word} on` o `/{word} off`.",
    "timezone.is": "Tu zona horaria es {zone}. `/timezone Europe/Rome` la cambia.",
    "timezone.set": "Tu zona horaria es ahora {zone}.",
    "timezone.unknown": "No conozco la zona horaria {zone}; se llaman como Europe/Rome o America/New_York.",
    "home.set": "Lo que tenga que decir sin que me pregunten llega aquí desde ahora.",
    "quiet.is": "Lo programado se retiene de {hours} en tu zona horaria. `/quiet off` lo termina.",
    "quiet.none": "No se retiene nada. `/quiet 22:00-07:00` fija horas de silencio.",
    "quiet.unknown": "Las horas de silencio se escriben como `/quiet 22:00-07:00`.",
    "plain.on": "Sencillo desde ahora: las respuestas llegan enteras, sin emojis de acuse ni tablas.",
    "plain.off": "Ya no es sencillo.",
    "apart.on": "Esta conversación tiene desde ahora su propia charla.",
    "apart.off": "Esta conversación vuelve a pertenecer a tu charla común.",
    "apart.same": "Ya es así.",
    "apart.own": "Los grupos y los temas tienen de todos modos su propia charla.",
    "unpair.which": "¿Qué cuenta? Las tuyas son {accounts}. Di `/unpair PLATAFORMA`.",
    "unpair.last": "Te quedarías sin cuentas. Quien me administra puede borrar todo lo que sé de ti.",
    "unpair.configured": "Esa cuenta está escrita en mi configuración; quien me administra puede quitarla de allí.",
    "unpair.done": "Quitadas: {accounts}. Ahora me son desconocidas.",
    "invite.role": "Puedes invitar con un rol hasta {most}.",
    "invite.code": (
        "`/pair {code}` enviado a mí en una charla directa hace {role} a quien lo envíe; una vez, en 24 horas."
    ),
    "summary.unpair": "quitar una de tus cuentas",
    "summary.apart": "dar a esta conversación una charla propia: on u off",
    "summary.timezone": "tu zona horaria",
    "summary.home": "que llegue aquí lo que nadie ha pedido",
    "summary.quiet": "horas en las que se retiene lo programado",
    "summary.plain": "respuestas sencillas: on u off",
    "summary.invite": "un código para alguien nuevo; pueden seguir rol y nombre",
    "summary.people": "a quién se deja entrar",
    "owner.code": (
        "Todavía no pertenezco a nadie. Envíame `/pair {code}` desde tu cuenta o abre el enlace (vale una hora):"
    ),
    "owner.came": "{name} es ahora owner.",
    "memory.user": "**Sobre ti** ({used} de {limit} caracteres)",
    "memory.memory": "**Notas** ({used} de {limit} caracteres)",
    "memory.how": (
        "`/forget PALABRAS` quita lo que contiene esas palabras. Lo que anoto está ante mí desde la próxima charla."
    ),
    "memory.nothing": "No recuerdo nada de ti más allá de lo dicho en nuestras charlas.",
    "forget.what": "Di qué palabras: `/forget PALABRAS` quita lo que recuerdo que las contiene.",
    "forget.no_words": "Nada de lo que recuerdo contiene «{what}». `/memory` lo muestra todo.",
    "forget.done": (
        "Olvidado:\n\n{entries}\n\nUna charla que empezó antes quizá aún lo sepa; `/new` empieza otra. Lo dicho en "
        "las charlas se queda allí."
    ),
    "summary.memory": "lo que recuerdo de ti",
    "usage.line": "{turns} respuestas, {input} tokens enviados ({cached} de ellos en caché), {output} recibidos{cost}",
    "usage.talk": "Esta charla: {used}",
    "usage.today": "Hoy: {used}",
    "usage.month": "Este mes: {used}",
    "usage.job": "De ello para la tarea {job}: {used}",
    "usage.everybody": "Este mes, por persona:",
    "usage.nothing": "Aún no se ha gastado nada.",
    "usage.limit.messages": "Respuestas hoy: {used} de {limit}",
    "usage.limit.tokens": "Tokens hoy: {used} de {limit}",
    "usage.limit.usd": "Coste este mes: ${used} de ${limit}",
    "budget.nearly.messages": "Has tenido {used} de las {limit} respuestas que puedes tener hoy.",
    "budget.nearly.tokens": "Has gastado {used} de los {limit} tokens que puedes gastar hoy.",
    "budget.nearly.usd": "Has gastado ${used} de los ${limit} que puedes gastar este mes.",
    "budget.reached.messages": "Esa era la última de tus {limit} respuestas de hoy.",
    "budget.reached.tokens": "Tus {limit} tokens de hoy se han agotado.",
    "budget.reached.usd": "Tus ${limit} de este mes se han agotado.",
    "budget.over.messages": "Ya has tenido tus {limit} respuestas de hoy. Desde medianoche respondo otra vez.",
    "budget.over.tokens": "Tus {limit} tokens de hoy se han agotado. Desde medianoche respondo otra vez.",
    "budget.over.usd": "Tus ${limit} de este mes se han agotado. Desde el día uno del próximo mes respondo otra vez.",
    "summary.usage": "cuántos tokens se han gastado, y tus límites",
    "away": "He estado fuera de alcance durante {span}.",
    "away.came": "Llegaron mientras tanto: {count} mensaje(s) tuyos, que respondo ahora.",
    "away.late": (
        "Sin responder, por ser demasiado antiguos: {count} mensaje(s) tuyos; envía de nuevo lo que aún importe."
    ),
    "away.resumed": "Lo que aún te debía continúa: {count} mensaje(s).",
    "span.days": "{days} d {hours} h",
    "span.hours": "{hours} h {minutes} min",
    "undelivered": "No se pudo entregar un mensaje a {conversation}: {why}. Mira `dragoman outbox show {id}`.",
    "model.lasting": (
        "El modelo {model} ha dejado {turns} intentos seguidos sin respuesta durante {minutes} min: {why}. Hay "
        "mensajes en espera; `dragoman status` muestra cuántos."
    ),
    "model.over": "El modelo {model} vuelve a responder tras {minutes} min.",
    "degraded": "{line} tiene problemas desde hace {minutes} min: {why}. Sigo intentándolo.",
    "recovered": "{line} ha vuelto tras {minutes} min de problemas: {why}.",
    "room": "Me estoy quedando sin espacio: {why}. `dragoman status` muestra qué lo ocupa.",
    "taken_over": (
        "Me han restaurado desde mi copia del {when}. {deliveries} mensajes míos que entonces esperaban pueden "
        "haberse enviado desde entonces, y {messages} dirigidos a mí pueden haber sido respondidos: por mi cuenta no "
        "repito ni unos ni otros. `dragoman outbox list` y `dragoman inbox list` los muestran."
    ),
    "resent": "(enviado otra vez a mano)",
}
