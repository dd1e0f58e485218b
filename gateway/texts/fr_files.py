"""French, for pictures, voices and documents."""

FILES = {
    "too_large": (
        "{name} dépasse {limit} Mo, le maximum que je peux récupérer ici. Peux-tu envoyer quelque chose de plus petit ?"
    ),
    "pictures.unseen": (
        "Avec le modèle réglé ici, je ne peux pas regarder les images : je n’en vois que le nom et la taille."
    ),
    "voice.heard": "🎤 « {words} »",
    "voice.unheard": (
        "Je ne peux pas écouter les messages vocaux : aucune transcription n’est réglée ici. Écris-le-moi, s’il te "
        "plaît."
    ),
    "voice.misheard": "Je n’ai pas pu comprendre {name}. Écris-le-moi, s’il te plaît, ou renvoie-le plus tard.",
    "summary.voice": "entendre aussi les réponses : on ou off",
    "voice.on": "Désormais, dans tes conversations directes, tu reçois mes réponses aussi en messages vocaux.",
    "voice.off": "Désormais, seulement des réponses écrites.",
    "voice.mute": (
        "Je ne peux pas parler ici : aucune voix n’est réglée (`agent.speech`). Celui qui me fait tourner peut le "
        "faire."
    ),
}
