import type { Catalogue } from './catalogue.js';

export const pt: Catalogue = {
  'mail.code': 'Para entrar, digite este código no aplicativo:',
  'mail.fallback': 'Se o botão não funcionar, copie este endereço para o seu navegador:',
  'mail.help': 'Ajuda',
  'mail.test.subject': 'Mensagem de teste',
  'mail.test.message': 'As configurações de e-mail funcionam. Você não precisa fazer nada.',

  'mail.verification.subject': 'Confirme seu endereço de e-mail',
  'mail.verification.opening':
    'Alguém, provavelmente você, se cadastrou como {email}. Confirme que o endereço é seu.',
  'mail.verification.button': 'Confirmar o endereço',
  'mail.verification.closing':
    'O link vale por {duration} e funciona uma única vez. Se você não se cadastrou, ignore esta mensagem.',

  'mail.recovery.subject': 'Defina uma nova senha',
  'mail.recovery.subject_named': 'Defina uma nova senha para {brand}',
  'mail.recovery.opening': 'Alguém, provavelmente você, pediu uma nova senha para {email}.',
  'mail.recovery.opening_named': 'Alguém, provavelmente você, pediu em {brand} uma nova senha para {email}.',
  'mail.recovery.button': 'Definir uma nova senha',
  'mail.recovery.closing':
    'O link vale por {duration} e funciona uma única vez. Se você não pediu esta mensagem, ignore-a: sua senha continua a mesma.',

  'mail.magic_link.subject': 'Entre em {brand}',
  'mail.magic_link.opening': 'Alguém, provavelmente você, pediu para entrar em {brand} como {email}.',
  'mail.magic_link.button': 'Continuar',
  'mail.magic_link.closing':
    'O código e o botão valem por {duration} e funcionam, juntos, uma única vez. Se você não pediu esta mensagem, ignore-a.',

  'mail.invite.subject': 'Você recebeu um convite para {brand}',
  'mail.invite.opening':
    'Você recebeu um convite para {brand} como {email}. Escolha uma senha para aceitar o convite.',
  'mail.invite.organization_subject': 'Você recebeu um convite para {org}',
  'mail.invite.organization_opening': '{inviter} convida você a participar de {org} (função: {role}).',
  'mail.invite.button': 'Aceitar o convite',
  'mail.invite.closing':
    'O link vale por {duration} e funciona uma única vez. Se você não sabe quem o convidou, ignore esta mensagem.',

  'mail.email_change.subject': 'Confirme seu novo endereço de e-mail',
  'mail.email_change.opening':
    'Alguém, provavelmente você, pediu para usar {email} como endereço da própria conta. Confirme se foi você.',
  'mail.email_change.button': 'Usar este endereço',
  'mail.email_change.closing':
    'O link vale por {duration} e funciona uma única vez. Se não foi você, ignore esta mensagem: não confirme uma conta que não é sua.',

  'mail.notice.closing':
    'Trata-se da conta {email}. Se você não esperava isso, fale com quem administra o serviço.',
  'notice.password_set.title': 'Sua senha foi alterada',
  'notice.password_set.message':
    'Um administrador definiu uma nova senha para a sua conta e encerrou todas as sessões dela.',
  'notice.password_removed.title': 'Sua senha foi removida',
  'notice.password_removed.message':
    'Um administrador removeu a senha da sua conta e encerrou todas as sessões dela. Para entrar de novo, peça uma nova senha.',
  'notice.factor_added.title': 'Um segundo fator foi adicionado',
  'notice.factor_added.message':
    'Um segundo fator foi adicionado à sua conta. Se não foi você, peça uma nova senha e solicite a um administrador que redefina os segundos fatores.',
  'notice.factor_removed.title': 'Um segundo fator foi removido',
  'notice.factor_removed.message':
    'Um segundo fator foi removido da sua conta. Se não foi você, troque a senha e encerre suas outras sessões.',
  'notice.factors_reset.title': 'Seus segundos fatores foram redefinidos',
  'notice.factors_reset.message':
    'Um administrador removeu todos os segundos fatores da sua conta e encerrou todas as sessões dela. Entre e adicione um novo.',
  'notice.email_change_requested.title': 'Seu endereço está prestes a mudar',
  'notice.email_change_requested.message':
    'Alguém com uma sessão aberta na sua conta pediu para trocar o endereço dela. Se não foi você, troque a senha agora: isso cancela o pedido.',
  'notice.email_changed.title': 'Seu endereço foi alterado',
  'notice.email_changed.message':
    'Sua conta agora tem outro endereço, e este não serve mais para entrar. Se não foi você, avise um administrador.',

  'page.help': 'Ajuda',
  'page.field.email': 'Endereço de e-mail',
  'page.field.password': 'Senha',
  'page.field.new_password': 'Nova senha',
  'page.field.repeat': 'Repita a senha',
  'page.field.length': 'Pelo menos {minLength, plural, one {# caractere} other {# caracteres}}.',

  'page.dead_link.title': 'Este link não funciona',
  'page.dead_link.text':
    'O link já foi usado, expirou ou foi substituído por outro mais recente, ou falta uma parte dele.',
  'page.dead_link.next': 'Peça uma nova mensagem.',
  'page.dead_link.new_link':
    'Se não houver uma mensagem mais recente na sua caixa de entrada, você pode pedir que um novo link seja enviado a ela.',
  'page.dead_link.button': 'Enviar um novo link',
  'page.new_link.title': 'Veja sua caixa de entrada',
  'page.new_link.text':
    'Se o link puder ser substituído, uma mensagem com um novo está a caminho do mesmo endereço.',
  'page.new_link.next':
    'Nenhuma mensagem depois de alguns minutos? Volte ao aplicativo e peça uma por lá. Você pode fechar esta página.',
  'page.new_link.dead_next': 'Volte ao aplicativo e peça uma nova mensagem.',
  'page.destination': 'Em seguida, você continua em <b>{destination}</b>.',
  'page.go_on.title': 'Pronto',
  'page.go_on.text': 'Você pode voltar ao aplicativo.',
  'page.sign_up_closed.title': 'O cadastro está fechado',
  'page.sign_up_closed.text': 'Este serviço não aceita novas contas, por isso o link não pode criar uma.',
  'page.sign_up_closed.next':
    'Se você tem uma conta com outro endereço, entre com ela. Caso contrário, peça uma conta a quem administra este serviço.',
  'page.rate_limited.title': 'Tentativas demais',
  'page.rate_limited.text': 'Houve tentativas demais a partir da sua rede.',
  'page.rate_limited.next': 'Espere alguns minutos e abra de novo o link da mensagem.',
  'page.refused.title': 'Não funcionou',
  'page.refused.text': 'O serviço recusou o pedido.',
  'page.refused.email_taken': 'Já existe uma conta com este endereço de e-mail.',
  'page.refused.email_not_verified': 'Confirme primeiro o endereço de e-mail da sua conta.',
  'page.refused.invitation_void': 'Quem enviou o convite saiu ou não pode mais convidar com esta função.',
  'page.refused.role_deleted': 'A função do convite foi excluída.',
  'page.refused.already_member': 'Este endereço já é de um membro.',
  'page.refused.user_disabled': 'A conta está desativada.',
  'page.problem.invalid_credentials': 'A senha está incorreta.',
  'page.problem.sign_in_required': 'Este endereço agora tem uma conta. Digite a senha dela.',
  'page.problem.weak_password': 'Esta senha é uma das mais usadas. Escolha outra.',
  'page.problem.overloaded': 'O serviço está sobrecarregado. Tente de novo em alguns segundos.',
  'page.problem.repeat': 'As duas senhas não são iguais.',
  'page.problem.enter_password': 'Digite uma senha.',
  'page.problem.password_length':
    'A senha deve ter pelo menos {minLength, plural, one {# caractere} other {# caracteres}}.',

  'page.verify.title': 'Confirme seu endereço',
  'page.verify.text': 'Alguém se cadastrou como <b>{email}</b>. Se foi você, confirme que o endereço é seu.',
  'page.verify.button': 'Confirmar o endereço',
  'page.verify.stranger':
    'Se você não se cadastrou, feche esta página. Não confirme uma conta que não é sua.',
  'page.verify.done': 'Endereço confirmado',
  'page.verify.done_text': '<b>{email}</b> está confirmado.',
  'page.verify.done_next': 'Volte ao aplicativo e entre. Você pode fechar esta página.',
  'page.verify.dead_next':
    'Entre no aplicativo em que você se cadastrou e peça uma nova mensagem de confirmação.',

  'page.recover.title': 'Defina uma nova senha',
  'page.recover.text': 'Escolha uma nova senha. Sua sessão será encerrada em todos os dispositivos.',
  'page.recover.button': 'Definir a senha',
  'page.recover.done': 'Sua senha foi definida',
  'page.recover.done_text':
    'A nova senha de <b>{email}</b> já vale, e sua sessão foi encerrada em todos os dispositivos.',
  'page.recover.done_next': 'Volte ao aplicativo e entre com a nova senha. Você pode fechar esta página.',
  'page.recover.dead_next': 'Volte ao aplicativo em que você entra e peça uma nova senha outra vez.',

  'page.change_email.title': 'Confirme seu novo endereço',
  'page.change_email.text':
    'Alguém pediu para usar <b>{newEmail}</b> como endereço da própria conta, no lugar de <b>{formerEmail}</b>. Se foi você, confirme.',
  'page.change_email.button': 'Usar este endereço',
  'page.change_email.stranger':
    'Se não foi você, feche esta página. Não dê seu endereço a uma conta que não é sua.',
  'page.change_email.done': 'Endereço alterado',
  'page.change_email.done_text': '<b>{email}</b> é agora o endereço da sua conta.',
  'page.change_email.done_next': 'Entre com ele a partir de agora. Você pode fechar esta página.',
  'page.change_email.dead_next': 'Volte ao aplicativo e altere o endereço outra vez.',

  'page.invitation.title': 'Participe de {org}',
  'page.invitation.text': 'Você recebeu um convite para <b>{org}</b> com a função <b>{role}</b>.',
  'page.invitation.new_account': 'Escolha uma senha para a sua nova conta.',
  'page.invitation.account': 'Este endereço tem uma conta. Digite a senha dela.',
  'page.invitation.button': 'Aceitar o convite',
  'page.invitation.done': 'Boas-vindas',
  'page.invitation.done_text': '<b>{email}</b> agora é membro de <b>{org}</b> com a função <b>{role}</b>.',
  'page.invitation.done_next': 'Volte ao aplicativo e entre. Você pode fechar esta página.',
  'page.invitation.dead_next': 'Peça um novo convite à pessoa que convidou você.',

  'page.invite.title': 'Participe de {brand}',
  'page.invite.text': 'Você recebeu um convite para <b>{brand}</b>. Escolha uma senha para a sua nova conta.',
  'page.invite.done_text': 'Sua conta <b>{email}</b> em <b>{brand}</b> está pronta.',
  'page.invite.done_next': 'Volte ao aplicativo e entre com a sua senha. Você pode fechar esta página.',

  'page.magic_link.title': 'Confirme seu endereço',
  'page.magic_link.text':
    'Confirme que <b>{email}</b> é o seu endereço em <b>{brand}</b>, se você pediu a mensagem.',
  'page.magic_link.code':
    'Para entrar, em vez disso, digite no aplicativo o código da mensagem. O código funciona uma única vez: este botão o consome.',
  'page.magic_link.done_next':
    'Volte ao aplicativo e peça uma nova mensagem para entrar. Você pode fechar esta página.',
  'page.magic_link.dead_next': 'Volte ao aplicativo em que você entra e peça uma nova mensagem.',
  'page.magic_link.sign_in': 'Entre em {brand}',
  'page.magic_link.sign_in_text': 'Entre como <b>{email}</b>, se você pediu a mensagem.',
  'page.magic_link.sign_in_button': 'Entrar',
  'page.magic_link.stranger': 'Se você não a pediu, feche esta página.',
};
