import type { Catalogue } from './catalogue.js';

export const fr: Catalogue = {
  'mail.code': 'Pour vous connecter, saisissez ce code dans l’application :',
  'mail.fallback': 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  'mail.help': 'Aide',
  'mail.test.subject': 'Message de test',
  'mail.test.message': 'Les paramètres de messagerie fonctionnent. Vous n’avez rien à faire.',

  'mail.verification.subject': 'Confirmez votre adresse e-mail',
  'mail.verification.opening':
    'Quelqu’un, sans doute vous, s’est inscrit avec l’adresse {email}. Confirmez qu’elle vous appartient.',
  'mail.verification.button': 'Confirmer l’adresse',
  'mail.verification.closing':
    'Le lien est valable {duration} et ne fonctionne qu’une seule fois. Si vous ne vous êtes pas inscrit, ignorez ce message.',

  'mail.recovery.subject': 'Définissez un nouveau mot de passe',
  'mail.recovery.subject_named': 'Définissez un nouveau mot de passe pour {brand}',
  'mail.recovery.opening': 'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour {email}.',
  'mail.recovery.opening_named':
    'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe sur {brand} pour {email}.',
  'mail.recovery.button': 'Définir un nouveau mot de passe',
  'mail.recovery.closing':
    'Le lien est valable {duration} et ne fonctionne qu’une seule fois. Si vous n’avez pas demandé ce message, ignorez-le : votre mot de passe reste inchangé.',

  'mail.magic_link.subject': 'Connexion à {brand}',
  'mail.magic_link.opening':
    'Quelqu’un, sans doute vous, a demandé à se connecter à {brand} avec l’adresse {email}.',
  'mail.magic_link.button': 'Continuer',
  'mail.magic_link.closing':
    'Le code et le bouton sont valables {duration} et ne fonctionnent, ensemble, qu’une seule fois. Si vous n’avez pas demandé ce message, ignorez-le.',

  'mail.invite.subject': 'Vous êtes invité à rejoindre {brand}',
  'mail.invite.opening':
    'Vous êtes invité à rejoindre {brand} avec l’adresse {email}. Choisissez un mot de passe pour accepter l’invitation.',
  'mail.invite.organization_subject': 'Vous êtes invité à rejoindre {org}',
  'mail.invite.organization_opening': '{inviter} vous invite à rejoindre {org} (rôle : {role}).',
  'mail.invite.button': 'Accepter l’invitation',
  'mail.invite.closing':
    'Le lien est valable {duration} et ne fonctionne qu’une seule fois. Si vous ne savez pas qui vous a invité, ignorez ce message.',

  'mail.email_change.subject': 'Confirmez votre nouvelle adresse e-mail',
  'mail.email_change.opening':
    'Quelqu’un, sans doute vous, a demandé à utiliser {email} comme adresse de son compte. Confirmez-le si c’était vous.',
  'mail.email_change.button': 'Utiliser cette adresse',
  'mail.email_change.closing':
    'Le lien est valable {duration} et ne fonctionne qu’une seule fois. Si ce n’était pas vous, ignorez ce message : ne confirmez pas un compte qui n’est pas le vôtre.',

  'mail.notice.closing':
    'Il s’agit du compte {email}. Si vous ne vous y attendiez pas, contactez le responsable du service.',
  'notice.password_set.title': 'Votre mot de passe a été modifié',
  'notice.password_set.message':
    'Un administrateur a défini un nouveau mot de passe pour votre compte et a mis fin à toutes ses sessions.',
  'notice.password_removed.title': 'Votre mot de passe a été supprimé',
  'notice.password_removed.message':
    'Un administrateur a supprimé le mot de passe de votre compte et a mis fin à toutes ses sessions. Pour vous reconnecter, demandez un nouveau mot de passe.',
  'notice.factor_added.title': 'Un second facteur a été ajouté',
  'notice.factor_added.message':
    'Un second facteur a été ajouté à votre compte. Si ce n’était pas vous, demandez un nouveau mot de passe et priez un administrateur de réinitialiser les seconds facteurs.',
  'notice.factor_removed.title': 'Un second facteur a été supprimé',
  'notice.factor_removed.message':
    'Un second facteur a été supprimé de votre compte. Si ce n’était pas vous, changez votre mot de passe et mettez fin à vos autres sessions.',
  'notice.factors_reset.title': 'Vos seconds facteurs ont été réinitialisés',
  'notice.factors_reset.message':
    'Un administrateur a supprimé tous les seconds facteurs de votre compte et a mis fin à toutes ses sessions. Connectez-vous et ajoutez-en un nouveau.',
  'notice.email_change_requested.title': 'Votre adresse va être modifiée',
  'notice.email_change_requested.message':
    'Une personne connectée à votre compte a demandé à en changer l’adresse. Si ce n’était pas vous, changez votre mot de passe maintenant : cela annule la demande.',
  'notice.email_changed.title': 'Votre adresse a été modifiée',
  'notice.email_changed.message':
    'Votre compte a maintenant une autre adresse, et celle-ci ne permet plus de se connecter. Si ce n’était pas vous, prévenez un administrateur.',

  'page.help': 'Aide',
  'page.field.email': 'Adresse e-mail',
  'page.field.password': 'Mot de passe',
  'page.field.new_password': 'Nouveau mot de passe',
  'page.field.repeat': 'Répétez le mot de passe',
  'page.field.length': 'Au moins {minLength, plural, one {# caractère} other {# caractères}}.',

  'page.dead_link.title': 'Ce lien ne fonctionne pas',
  'page.dead_link.text':
    'Le lien a déjà été utilisé, a expiré ou a été remplacé par un plus récent, ou il est incomplet.',
  'page.dead_link.next': 'Demandez un nouveau message.',
  'page.dead_link.new_link':
    'S’il n’y a pas de message plus récent dans votre boîte de réception, vous pouvez y faire envoyer un nouveau lien.',
  'page.dead_link.button': 'Envoyer un nouveau lien',
  'page.new_link.title': 'Consultez votre boîte de réception',
  'page.new_link.text':
    'Si le lien peut être remplacé, un message contenant un nouveau lien est en route vers la même adresse.',
  'page.new_link.next':
    'Aucun message après quelques minutes ? Retournez à l’application et demandez-en un. Vous pouvez fermer cette page.',
  'page.new_link.dead_next': 'Retournez à l’application et demandez un nouveau message.',
  'page.destination': 'Vous serez ensuite dirigé vers <b>{destination}</b>.',
  'page.go_on.title': 'Terminé',
  'page.go_on.text': 'Vous pouvez retourner à l’application.',
  'page.sign_up_closed.title': 'Les inscriptions sont fermées',
  'page.sign_up_closed.text':
    'Ce service n’accepte pas de nouveaux comptes ; le lien ne peut donc pas en créer.',
  'page.sign_up_closed.next':
    'Si vous avez un compte avec une autre adresse, connectez-vous avec celle-ci. Sinon, demandez un compte au responsable de ce service.',
  'page.rate_limited.title': 'Trop de tentatives',
  'page.rate_limited.text': 'Il y a eu trop de tentatives depuis votre réseau.',
  'page.rate_limited.next': 'Attendez quelques minutes, puis ouvrez à nouveau le lien du message.',
  'page.refused.title': 'Cela n’a pas fonctionné',
  'page.refused.text': 'Le service a refusé la demande.',
  'page.refused.email_taken': 'Il existe déjà un compte avec cette adresse e-mail.',
  'page.refused.email_not_verified': 'Confirmez d’abord l’adresse e-mail de votre compte.',
  'page.refused.invitation_void':
    'La personne qui a envoyé l’invitation est partie ou ne peut plus inviter avec ce rôle.',
  'page.refused.role_deleted': 'Le rôle de l’invitation a été supprimé.',
  'page.refused.already_member': 'Cette adresse est déjà celle d’un membre.',
  'page.refused.user_disabled': 'Le compte est désactivé.',
  'page.problem.invalid_credentials': 'Le mot de passe est incorrect.',
  'page.problem.sign_in_required': 'Cette adresse a maintenant un compte. Saisissez son mot de passe.',
  'page.problem.weak_password': 'Ce mot de passe est l’un des plus utilisés. Choisissez-en un autre.',
  'page.problem.overloaded': 'Le service est surchargé. Réessayez dans quelques secondes.',
  'page.problem.repeat': 'Les deux mots de passe ne sont pas identiques.',
  'page.problem.enter_password': 'Saisissez un mot de passe.',
  'page.problem.password_length':
    'Le mot de passe doit contenir au moins {minLength, plural, one {# caractère} other {# caractères}}.',

  'page.verify.title': 'Confirmez votre adresse',
  'page.verify.text':
    'Quelqu’un s’est inscrit avec l’adresse <b>{email}</b>. Si c’était vous, confirmez qu’elle vous appartient.',
  'page.verify.button': 'Confirmer l’adresse',
  'page.verify.stranger':
    'Si vous ne vous êtes pas inscrit, fermez cette page. Ne confirmez pas un compte qui n’est pas le vôtre.',
  'page.verify.done': 'Adresse confirmée',
  'page.verify.done_text': '<b>{email}</b> est confirmée.',
  'page.verify.done_next': 'Retournez à l’application et connectez-vous. Vous pouvez fermer cette page.',
  'page.verify.dead_next':
    'Connectez-vous à l’application où vous vous êtes inscrit et demandez un nouveau message de confirmation.',

  'page.recover.title': 'Définissez un nouveau mot de passe',
  'page.recover.text': 'Choisissez un nouveau mot de passe. Vous serez déconnecté de tous vos appareils.',
  'page.recover.button': 'Définir le mot de passe',
  'page.recover.done': 'Votre mot de passe est défini',
  'page.recover.done_text':
    'Le nouveau mot de passe de <b>{email}</b> est valable dès maintenant, et vous êtes déconnecté de tous vos appareils.',
  'page.recover.done_next':
    'Retournez à l’application et connectez-vous avec le nouveau mot de passe. Vous pouvez fermer cette page.',
  'page.recover.dead_next':
    'Retournez à l’application où vous vous connectez et demandez à nouveau un mot de passe.',

  'page.change_email.title': 'Confirmez votre nouvelle adresse',
  'page.change_email.text':
    'Quelqu’un a demandé à utiliser <b>{newEmail}</b> comme adresse de son compte, à la place de <b>{formerEmail}</b>. Si c’était vous, confirmez-le.',
  'page.change_email.button': 'Utiliser cette adresse',
  'page.change_email.stranger':
    'Si ce n’était pas vous, fermez cette page. Ne donnez pas votre adresse à un compte qui n’est pas le vôtre.',
  'page.change_email.done': 'Adresse modifiée',
  'page.change_email.done_text': '<b>{email}</b> est maintenant l’adresse de votre compte.',
  'page.change_email.done_next': 'Utilisez-la désormais pour vous connecter. Vous pouvez fermer cette page.',
  'page.change_email.dead_next': 'Retournez à l’application et modifiez à nouveau l’adresse.',

  'page.invitation.title': 'Rejoindre {org}',
  'page.invitation.text': 'Vous êtes invité à rejoindre <b>{org}</b> avec le rôle <b>{role}</b>.',
  'page.invitation.new_account': 'Choisissez un mot de passe pour votre nouveau compte.',
  'page.invitation.account': 'Cette adresse a un compte. Saisissez son mot de passe.',
  'page.invitation.button': 'Accepter l’invitation',
  'page.invitation.done': 'Bienvenue',
  'page.invitation.done_text':
    '<b>{email}</b> est maintenant membre de <b>{org}</b> avec le rôle <b>{role}</b>.',
  'page.invitation.done_next': 'Retournez à l’application et connectez-vous. Vous pouvez fermer cette page.',
  'page.invitation.dead_next': 'Demandez une nouvelle invitation à la personne qui vous a invité.',

  'page.invite.title': 'Rejoindre {brand}',
  'page.invite.text':
    'Vous êtes invité à rejoindre <b>{brand}</b>. Choisissez un mot de passe pour votre nouveau compte.',
  'page.invite.done_text': 'Votre compte <b>{email}</b> sur <b>{brand}</b> est prêt.',
  'page.invite.done_next':
    'Retournez à l’application et connectez-vous avec votre mot de passe. Vous pouvez fermer cette page.',

  'page.magic_link.title': 'Confirmez votre adresse',
  'page.magic_link.text':
    'Confirmez que <b>{email}</b> est votre adresse sur <b>{brand}</b>, si vous avez demandé le message.',
  'page.magic_link.code':
    'Pour vous connecter, saisissez plutôt le code du message dans l’application. Le code ne fonctionne qu’une seule fois : ce bouton le consomme.',
  'page.magic_link.done_next':
    'Retournez à l’application et demandez un nouveau message pour vous connecter. Vous pouvez fermer cette page.',
  'page.magic_link.dead_next':
    'Retournez à l’application où vous vous connectez et demandez un nouveau message.',
  'page.magic_link.sign_in': 'Connexion à {brand}',
  'page.magic_link.sign_in_text':
    'Connectez-vous avec l’adresse <b>{email}</b>, si vous avez demandé le message.',
  'page.magic_link.sign_in_button': 'Se connecter',
  'page.magic_link.stranger': 'Si vous ne l’avez pas demandé, fermez cette page.',
};
