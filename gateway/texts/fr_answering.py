"""French, for what answers and why."""

ANSWERING = {
    "summary.compress": "raccourcir cette discussion : en résumer le milieu",
    "compress.nothing": "Il n’y a pas de discussion à raccourcir.",
    "compress.done": (
        "Je raccourcis cette discussion avant ma prochaine réponse : son milieu devient un résumé et reste trouvable."
    ),
    "summary.model": "quel modèle répond dans cette conversation, ou un autre",
    "summary.why": "pourquoi mon dernier message a reçu cette réponse",
    "model.is": "Ici, c’est {model} qui répond. Il y a : {models}",
    "model.no_talk": "Il n’y a pas encore de conversation ; écrivez-moi d’abord, puis choisissez.",
    "model.unknown": "Je n’ai pas de modèle appelé « {name} ». Il y a : {models}",
    "model.set": (
        "Dès la prochaine réponse, {model} répond dans cette conversation ; les autres le remplacent au besoin."
    ),
    "why.nothing": "Vous n’avez pas encore reçu de réponse ici.",
    "why.last": (
        "Votre dernier message ici a été admis comme « {rule} ». Conversation « {title} », tour {turn} : "
        "réponse de {model} en {seconds} s. Outils : {tools}. Jetons : {input} en entrée ({cached} en "
        "cache), {output} en sortie. Parties envoyées : {parts}."
    ),
}
