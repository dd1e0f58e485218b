"""Portuguese."""

from gateway.texts.pt_answering import ANSWERING
from gateway.texts.pt_files import FILES
from gateway.texts.pt_jobs import JOBS

SENTENCES = {
    **FILES,
    **ANSWERING,
    **JOBS,
    "apology": (
        "Desculpe, não consegui responder a isto: falhou três vezes. Pergunte de novo, talvez com outras palavras."
    ),
    "refused": "Desculpe, o modelo recusa este pedido tal como está. Pergunte de novo com outras palavras.",
    "empty": "(O modelo não respondeu nada.)",
    "model.refused_key": (
        "O meu fornecedor do modelo recusa a minha chave, por isso agora não posso responder. Quem me administra "
        "pode ver o motivo no registo. A sua mensagem está segura; respondo quando voltar a funcionar."
    ),
    "model.unknown_model": (
        "O meu fornecedor do modelo não conhece o modelo {model}, por isso agora não posso responder. Quem me "
        "administra pode corrigir isso. A sua mensagem está segura; respondo quando voltar a funcionar."
    ),
    "model.rate_limit": (
        "O modelo {model} não aceita mais pedidos de momento{when}. A sua mensagem está segura; respondo quando "
        "aceitar."
    ),
    "model.outage": (
        "De momento não consigo chegar ao modelo {model}. A sua mensagem está segura; respondo quando ele voltar."
    ),
    "model.timeout": (
        "O modelo {model} não responde de momento. A sua mensagem está segura; respondo quando ele responder."
    ),
    "model.when": " e pede para tentar de novo em {seconds} s",
    "model.gone": "O modelo esteve um dia fora de alcance, por isso desisti disto. Pergunte de novo mais tarde.",
    "working": "está a trabalhar nisso…",
    "sealed": "Não consigo ler o seu e-mail: está cifrado, e não tenho chave. Envie-o de novo sem cifra.",
    "forged": (
        "Chegou-me um e-mail que diz ser de {sender}, e descartei-o: {why}. Se era seu, o seu fornecedor de e-mail "
        "ou a minha caixa têm de ser mais bem configurados; senão, alguém quis falar em seu nome."
    ),
    "fresh.idle": "(Um novo começo: aqui não se disse nada durante {hours:g} h.)",
    "fresh.daily": "(Um novo começo: às {at} começou um novo dia.)",
    "fresh.back": "`/resume` volta a “{title}”.",
    "choice.resume": "Retomar",
    "keep.warning": "(A conversa “{title}” termina em {minutes} min se nada for dito.)",
    "keep.about": "manter a conversa “{title}”",
    "choice.keep.keep": "Manter",
    "choice.keep.end": "Deixar terminar",
    "keep.kept": "“{title}” continua.",
    "keep.ends": "Termina por si.",
    "keep.over": "Essa conversa já terminou; `/resume` volta a ela.",
    "continues": "continua de {platform}, há {ago}",
    "untitled": "sem título",
    "new": "Um novo começo. O que dissemos até agora fica fechado.",
    "nothing_to_close": "Nada para fechar: isto já é um novo começo.",
    "sessions.now": "Agora: {title}",
    "sessions.line": "{n}: {title}, há {ago}",
    "sessions.none": "Ainda não há aqui nenhuma conversa anterior.",
    "sessions.not_found": "Nada aqui se chamava assim nem foi dito: “{words}”.",
    "sessions.how": "`/resume N` volta a uma, `/sessions PALAVRAS` procura.",
    "sessions.more": "Mais {count}; `/sessions PALAVRAS` encontra-as.",
    "resumed": "De volta a “{title}”; sei o que dissemos lá.",
    "resume.here": "Já estamos em “{title}”.",
    "resume.nothing": "Não há conversa anterior a que voltar.",
    "resume.unknown": "Não encontro nenhuma conversa anterior chamada “{title}”. `/sessions` mostra a lista.",
    "resume.many": "Isso corresponde a mais de uma:",
    "title.set": "Esta conversa chama-se agora “{title}”.",
    "title.is": "Esta conversa chama-se “{title}”. `/title TEXTO` muda isso.",
    "title.nothing": "Ainda não há conversa a que dar nome; escreva algo primeiro.",
    "unknown_command": "Não conheço /{word}. Queria dizer /{nearest}? /help mostra o que sei fazer.",
    "unknown_command.bare": "Não conheço /{word}. /help mostra o que sei fazer.",
    "not_allowed": "/{word} precisa do papel {role}; aqui você é {mine}.",
    "help": "Sou {name}. Escreva-me como escreveria a uma pessoa. Estas palavras fazem algo especial:\n\n{commands}",
    "whoami": "Para mim você é **{name}**, com o papel {role}.\n\nContas: {accounts}\nFuso horário: {timezone}",
    "whoami.group": "Neste grupo você fala com o papel {role}.",
    "stopped": "Parado.",
    "stopped.placeholder": "(parado)",
    "stopped.parts": "Parado; o resto da resposta foi retirado.",
    "stopped.queued": "Parado. Também retirado: {count} mensagem(ns) em espera.",
    "nothing_to_stop": "Não há nada a decorrer.",
    "status": "{platforms}\n\nModelo: {models}.\n\nEm espera: {waiting}. A decorrer: {running}.{incidents}",
    "status.incident": "\nProblema: {subject} há {minutes} min.",
    "status.group": "Estou aqui. Os detalhes são para a conversa direta.",
    "receipt.steer": "Anotado. Levo isso em conta no próximo passo.",
    "receipt.followup": "Anotado. Respondo depois desta; antes esperam: {count}.",
    "receipt.collect": "Anotado. Respondo junto com o que mais escrever até eu terminar.",
    "receipt.full": "Não consegui guardar isso: já esperam {most} mensagens desta conversa. Envie de novo mais tarde.",
    "edit.offer": "Você mudou uma mensagem a que já respondi. Respondo de novo, tal como está agora (`/retry {turn}`)?",
    "edit.again": "Responder de novo",
    "queue.is": "Enquanto trabalho numa resposta: **{mode}**, {means}. Escolha com `/queue MODO`: {modes}.",
    "queue.now": "De agora em diante, enquanto trabalho numa resposta: **{mode}**, {means}.",
    "queue.unknown": "Não há nenhum modo {word}. Há: {modes}.",
    "queue.group": "Num grupo cada mensagem espera a sua vez, pois ninguém deve conduzir a resposta de outro.",
    "queue.steer": "o que escrever junta-se no meu próximo passo",
    "queue.followup": "o que escrever espera, e cada mensagem recebe a sua resposta",
    "queue.collect": "o que escrever espera e depois recebe uma só resposta",
    "queue.interrupt": "o que escrever interrompe-a, e recomeço com tudo o que disse",
    "retry.nothing": "Não há aqui nada a que eu possa responder de novo.",
    "undone": "Esquecido: {count} troca(s). Ficam guardadas 7 dias; até lá `/undo back` traz de volta.",
    "undo.back": "Trazer de volta",
    "undo.is_back": "De volta: {count} troca(s).",
    "undo.nothing": "Não há aqui nada para esquecer nem para trazer de volta.",
    "summary.retry": "responder de novo à última mensagem",
    "summary.undo": "esquecer as últimas trocas; pode seguir um número",
    "summary.queue": "o que acontece ao que escreve enquanto trabalho",
    "approval.ask": (
        "Posso usar **{tool}** com isto?{why}\n\n{call}\n\nResponda com um botão, ou com `/approve {id}` ou"
        " `/deny {id}`, "
        "até {until}. Sem resposta é não."
    ),
    "approval.why.outside": (
        "\n\nNesta conversa há palavras de outros ({outside}), e talvez sejam elas que o querem. Se não é o"
        " que *quer*, diga"
        " não."
    ),
    "approval.why.address": (
        "\n\nNinguém me deu este endereço: não o escreveu, nenhuma pesquisa o encontrou e nenhuma página"
        " leva até ele. Um"
        " endereço pode levar o que sei."
    ),
    "message.asked": "{name} pediu-me que lhe dissesse:",
    "approval.long": "… e mais {count} caracteres: o ficheiro que acompanha tem tudo.",
    "approval.waits": "Espero a sua palavra sobre **{tool}**: `/approve {id}` ou `/deny {id}`.",
    "choice.call.once": "Uma vez",
    "choice.call.session": "Nesta conversa",
    "choice.call.always": "Sempre",
    "choice.call.no": "Não",
    "approval.not_allowed": "Decidir sobre {tool} precisa do papel {role} ou mais.",
    "approval.elsewhere": (
        "Um e-mail não pode permitir isto (`email.approvals` está desligado). Diga `/approve {id}` noutra "
        "plataforma; `/deny {id}` também serve por e-mail."
    ),
    "approval.decided.once": "Permitido: {tool}, só desta vez.",
    "approval.decided.session": "Permitido: {tool}, até esta conversa terminar.",
    "approval.decided.always": "Permitido: {tool}, de agora em diante. `/deny always` retira isso.",
    "approval.asked_again": "De agora em diante volto a perguntar: {tools}.",
    "approval.nothing_allowed": "Nada está permitido por mais tempo: pergunto todas as vezes.",
    "approval.decided.no": "Não permitido: {tool}.",
    "summary.help": "o que sei fazer",
    "summary.start": "o que sei fazer",
    "summary.whoami": "quem você é para mim",
    "summary.sessions": "as nossas conversas aqui; palavras procuram nelas",
    "summary.resume": "voltar a uma conversa anterior, por número ou título",
    "summary.title": "dar nome a esta conversa",
    "summary.new": "fechar esta conversa e recomeçar; pode seguir um título",
    "summary.stop": "parar a resposta em curso e o que pôs em espera",
    "summary.status": "como estou",
    "platforms.line": "- {name}: {state}, ouvida pela última vez há {age}, {waiting} por enviar",
    "platforms.how": "`/platforms pause NAME` põe uma em pausa, `/platforms resume NAME` deixa-a continuar.",
    "platforms.unknown": "Não há aqui nenhuma conta {name}. Há: {names}.",
    "platforms.paused": (
        "{name} está agora em pausa: nada entra nem sai por lá, mesmo após um reinício. O que as pessoas escrevem "
        "espera na plataforma enquanto ela o guardar. `/platforms resume {name}` deixa-a continuar."
    ),
    "platforms.paused_here": (
        "{name} está agora em pausa, e aqui já não o oiço. `/platforms resume {name}` deixa-a continuar, a partir de "
        "outra plataforma ou com `dragoman chat` na minha máquina. O que escrever aqui espera enquanto a plataforma "
        "o guardar."
    ),
    "platforms.paused_already": "{name} já está em pausa.",
    "platforms.resumed": "{name} continua e recupera o atraso.",
    "platforms.runs": "{name} não está em pausa; `/platforms` diz como está.",
    "summary.platforms": "como estão as minhas ligações; pôr uma em pausa ou retomá-la",
    "restart": "Termino o que está a decorrer e volto a arrancar. As suas mensagens esperam entretanto.",
    "summary.restart": "terminar o que está a decorrer e voltar a arrancar",
    "summary.pair": "juntar outra conta sua com um código",
    "offer.none": "Não há nada chamado {id} à espera de resposta.",
    "offer.nothing": "Nada espera a sua resposta.",
    "offer.list": "Isto espera a sua resposta; `/approve ID` ou `/deny ID` dá-a:\n\n{offers}",
    "offer.not_yours": "Não lhe cabe responder a {id}.",
    "offer.decided": "{id} já foi respondido: {word}, por {name}.",
    "offer.expired": "{id} expirou; nada foi feito.",
    "offer.words": "A {id} pode responder-se: {words}.",
    "summary.approve": "dizer sim ao que espera a sua resposta",
    "summary.deny": "dizer não ao que espera a sua resposta",
    "pair.welcome": "Boas-vindas, {name}. Agora você é {role}. /help mostra o que sei fazer.",
    "pair.configured": "Seu papel está escrito na minha configuração e só lá é mudado: você é {role}.",
    "pair.raised": "Feito: agora você é {role}.",
    "pair.known": "Aqui você já é {role}; o código continua por usar.",
    "pair.wrong": "Esse código não é (ou já não é) válido.",
    "pair.locked": "Demasiados códigos errados. Tente de novo dentro de uma hora.",
    "pair.no_owner": (
        "Ainda não pertenço a ninguém. Se me administra, crie um código na minha máquina com `dragoman pair new "
        "--role owner` e envie-o para aqui como `/pair CODE`."
    ),
    "pair.in_group": "Os códigos só valem numa conversa direta. Este fica agora anulado; peça um novo.",
    "pair.crowd": "Vieram demasiados códigos errados de contas que não conheço aqui. Tente de novo dentro de uma hora.",
    "pair.direct": "Os códigos são para conversas diretas. Envie-me /pair lá.",
    "pair.code": (
        "Envie-me `/pair {code}` da sua outra conta dentro de dez minutos. Pergunto-lhe aqui antes de a juntar. Não "
        "o mostre a ninguém: quem o envia pede para ser você."
    ),
    "request.told": (
        "Ainda não o conheço. Fala comigo noutro lugar? Envie lá `/pair {code}`. Senão, o proprietário já foi "
        "consultado."
    ),
    "request.ask": (
        "{name} ({account}) escreve-me e não conheço. Quem é? (`/approve {id}` ou `/deny {id}` também serve.)"
    ),
    "request.me": "Então envie aqui `/pair CODE`, com o código que lhe mostrei lá.",
    "request.known": "{name} entretanto foi admitido, como {role}.",
    "request.denied": "{name} não é admitido e não ouve mais nada durante um dia.",
    "request.blocked": "{name} está bloqueado.",
    "request.admitted": "{name} é admitido como {role}.",
    "choice.stranger.me": "Sou eu",
    "choice.stranger.user": "Admitir como user",
    "choice.stranger.guest": "Como guest",
    "choice.stranger.deny": "Recusar",
    "choice.stranger.block": "Bloquear",
    "link.ask": (
        "{name} em {platform} ({account}) quer ser um só consigo aqui: uma conversa, uma memória, com o papel "
        "{role}. É a sua conta?"
    ),
    "link.ask_other": "{name} quer ser uma só pessoa consigo: uma conversa, uma memória, ambos com o papel {role}.",
    "link.asked_there": "Perguntei onde esse código foi criado. Responda lá, depois continuamos aqui.",
    "link.asked_other": "Pergunto também ao outro lado, pois conheço ambos.",
    "link.found": "Conheço esse código. Uma pergunta antes de juntar a conta:",
    "link.elsewhere": "Esse código é para a sua outra conta: envie-mo de lá.",
    "choice.link.join": "Juntar",
    "choice.link.apart": "Juntar, mas conversas separadas",
    "choice.link.no": "Não",
    "join.begun": "A juntar; fica feito assim que nada estiver a decorrer lá.",
    "join.refused": "Nada é juntado.",
    "join.forgetting": "Um dos dois está prestes a ser esquecido. `/forget cancel` lá retira isso.",
    "join.gone": "Isso já não é possível.",
    "join.same": "Essa conta já é sua.",
    "join.blocked": "Essa conta está bloqueada.",
    "join.configured": (
        "Essa conta está escrita na minha configuração; quem me administra tem de juntar lá as entradas."
    ),
    "join.other_way": (
        "Uma conta de owner ou admin não pode ser juntada a outra pessoa. Envie /pair a partir dela, e esse código "
        "da outra."
    ),
    "join.config_role": (
        "Ambos são conhecidos, por isso ficaria o papel mais baixo, mas o seu está escrito na minha configuração. "
        "Retire primeiro a outra conta à sua pessoa (`dragoman people unlink`), depois junte-a."
    ),
    "join.last_owner": (
        "Ambos são conhecidos, por isso ficaria o papel mais baixo, e eu não pertenceria a ninguém. Retire primeiro "
        "a outra conta à sua pessoa (`dragoman people unlink`), depois junte-a."
    ),
    "join.done": (
        "{name} em {platform} ({account}) é agora você, com o papel {role}. Não é você? Pode desfazer-se durante um "
        "dia."
    ),
    "join.undoing": "Retiro-a de novo, assim que nada estiver a decorrer.",
    "join.undone": "Retiradas de novo: {accounts}. A conversa que era comum fica fechada.",
    "choice.joined.undo": "Desfazer",
    "export.done": "Tudo o que está guardado sobre você, como JSON. Guarde-o como se guarda um diário.",
    "export.too_large": (
        "Esta conversa não aceita um ficheiro desse tamanho. `dragoman people export` na minha máquina cria-o."
    ),
    "forget.how": (
        "`/forget PALAVRAS` remove o que lembro e que as contém. `/forget everything` faz desaparecer tudo o que "
        "está guardado sobre você, um dia depois."
    ),
    "forget.begun": (
        "Daqui a {hours} h esqueço-o: {stored}. Até lá `/export` entrega tudo e `/forget cancel` retira isto. Quando "
        "estiver feito não ouvirá nada."
    ),
    "forget.stays": "Fica como está: tudo se vai quando o prazo acabar.",
    "forget.kept": "Nada é esquecido.",
    "forget.nothing": "Não há nada a retirar: ninguém me pediu que o esquecesse.",
    "forget.last_owner": "Você é o meu único owner. Crie primeiro outro: `dragoman pair new --role owner`.",
    "choice.forget.keep": "Manter tudo",
    "summary.export": "tudo o que está guardado sobre você, como ficheiro",
    "summary.forget": "remover o que lembro com certas palavras, ou tudo sobre você",
    "group.added": "{who} adicionou-me ao grupo {group}. Fico calado lá até que diga outra coisa.",
    "group.was_added": "Fui adicionado ao grupo {group}. Fico calado lá até que diga outra coisa.",
    "group.allowed": "Em {group} respondo a quem me mencionar, com o papel guest.",
    "group.leaving": "Saio de {group}.",
    "group.stays": "Não consegui sair de {group}, mas fico calado lá: {why}",
    "choice.group.allow": "Permitir quando mencionado",
    "choice.group.leave": "Sair",
    "direct_only": "Isso é para a conversa direta comigo.",
    "on_off": "Diga `/{word} on` ou `/{word} off`.",
    "timezone.is": "O seu fuso horário é {zone}. `/timezone Europe/Rome` muda-o.",
    "timezone.set": "O seu fuso horário é agora {zone}.",
    "timezone.unknown": "Não conheço o fuso horário {zone}; chamam-se como Europe/Rome ou America/New_York.",
    "home.set": "O que eu tiver a dizer sem ser perguntado vem de agora em diante para aqui.",
    "quiet.is": "O que está agendado é retido das {hours} no seu fuso horário. `/quiet off` termina isso.",
    "quiet.none": "Nada é retido. `/quiet 22:00-07:00` define horas de silêncio.",
    "quiet.unknown": "As horas de silêncio escrevem-se como `/quiet 22:00-07:00`.",
    "plain.on": "Simples de agora em diante: as respostas vêm inteiras, sem recibos em emoji nem tabelas.",
    "plain.off": "Já não é simples.",
    "apart.on": "Este chat tem de agora em diante uma conversa própria.",
    "apart.off": "Este chat pertence de novo à sua conversa comum.",
    "apart.same": "Já é assim.",
    "apart.own": "Grupos e tópicos têm de qualquer modo uma conversa própria.",
    "unpair.which": "Que conta? As suas são {accounts}. Diga `/unpair PLATAFORMA`.",
    "unpair.last": "Ficaria sem conta. Quem me administra pode apagar tudo o que sei sobre você.",
    "unpair.configured": "Essa conta está escrita na minha configuração; quem me administra pode retirá-la de lá.",
    "unpair.done": "Retiradas: {accounts}. Agora são-me estranhas.",
    "invite.role": "Pode convidar com um papel até {most}.",
    "invite.code": (
        "`/pair {code}` enviado a mim numa conversa direta faz de quem o envia {role}; uma vez, em 24 horas."
    ),
    "summary.unpair": "retirar uma das suas contas",
    "summary.apart": "dar a este chat uma conversa própria: on ou off",
    "summary.timezone": "o seu fuso horário",
    "summary.home": "fazer vir para aqui o que ninguém pediu",
    "summary.quiet": "horas em que o que está agendado é retido",
    "summary.plain": "respostas simples: on ou off",
    "summary.invite": "um código para alguém novo; podem seguir papel e nome",
    "summary.people": "quem é admitido",
    "owner.code": "Ainda não pertenço a ninguém. Envie-me `/pair {code}` da sua conta, ou abra o link (vale uma hora):",
    "owner.came": "{name} é agora owner.",
    "memory.user": "**Sobre você** ({used} de {limit} caracteres)",
    "memory.memory": "**Notas** ({used} de {limit} caracteres)",
    "memory.how": (
        "`/forget PALAVRAS` remove o que contém essas palavras. O que anoto está diante de mim a partir da próxima "
        "conversa."
    ),
    "memory.nothing": "Não lembro nada sobre você além do que foi dito nas nossas conversas.",
    "forget.what": "Diga que palavras: `/forget PALAVRAS` remove o que lembro e que as contém.",
    "forget.no_words": "Nada do que lembro contém “{what}”. `/memory` mostra tudo.",
    "forget.done": (
        "Esquecido:\n\n{entries}\n\nUma conversa que começou antes talvez ainda o saiba; `/new` começa outra. O que "
        "foi dito nas conversas fica lá."
    ),
    "summary.memory": "o que lembro sobre você",
    "usage.line": "{turns} respostas, {input} tokens enviados ({cached} deles em cache), {output} recebidos{cost}",
    "usage.talk": "Esta conversa: {used}",
    "usage.today": "Hoje: {used}",
    "usage.month": "Este mês: {used}",
    "usage.job": "Disso para a tarefa {job}: {used}",
    "usage.everybody": "Este mês, por pessoa:",
    "usage.nothing": "Ainda nada foi usado.",
    "usage.limit.messages": "Respostas hoje: {used} de {limit}",
    "usage.limit.tokens": "Tokens hoje: {used} de {limit}",
    "usage.limit.usd": "Custo este mês: ${used} de ${limit}",
    "budget.nearly.messages": "Você teve {used} das {limit} respostas que pode ter hoje.",
    "budget.nearly.tokens": "Você usou {used} dos {limit} tokens que pode usar hoje.",
    "budget.nearly.usd": "Você usou ${used} dos ${limit} que pode usar este mês.",
    "budget.reached.messages": "Essa foi a última das suas {limit} respostas de hoje.",
    "budget.reached.tokens": "Os seus {limit} tokens de hoje acabaram.",
    "budget.reached.usd": "Os seus ${limit} deste mês acabaram.",
    "budget.over.messages": "Já teve as suas {limit} respostas de hoje. A partir da meia-noite volto a responder.",
    "budget.over.tokens": "Os seus {limit} tokens de hoje acabaram. A partir da meia-noite volto a responder.",
    "budget.over.usd": (
        "Os seus ${limit} deste mês acabaram. A partir do primeiro dia do próximo mês volto a responder."
    ),
    "summary.usage": "quantos tokens foram usados, e os seus limites",
    "away": "Estive fora de alcance durante {span}.",
    "away.came": "Chegaram entretanto: {count} mensagem(ns) suas, a que respondo agora.",
    "away.late": (
        "Sem resposta, por serem antigas demais: {count} mensagem(ns) suas; envie de novo o que ainda importa."
    ),
    "away.resumed": "O que ainda lhe devia continua: {count} mensagem(ns).",
    "span.days": "{days} d {hours} h",
    "span.hours": "{hours} h {minutes} min",
    "undelivered": "Uma mensagem para {conversation} não pôde ser entregue: {why}. Veja `dragoman outbox show {id}`.",
    "model.lasting": (
        "O modelo {model} deixou {turns} tentativas seguidas sem resposta durante {minutes} min: {why}. Há mensagens "
        "à espera; `dragoman status` mostra quantas."
    ),
    "model.over": "O modelo {model} volta a responder após {minutes} min.",
    "degraded": "{line} tem problemas há {minutes} min: {why}. Continuo a tentar.",
    "recovered": "{line} voltou após {minutes} min de problemas: {why}.",
    "room": "Estou a ficar sem espaço: {why}. `dragoman status` mostra o que o ocupa.",
    "taken_over": (
        "Fui restaurado a partir da minha cópia de {when}. {deliveries} mensagens minhas que então esperavam podem "
        "ter sido enviadas desde então, e {messages} para mim podem ter sido respondidas: por mim não repito nem "
        "umas nem outras. `dragoman outbox list` e `dragoman inbox list` mostram-nas."
    ),
    "resent": "(enviado de novo à mão)",
}
