/**
 * What mails and pages say, in ICU message syntax. The keys and the arguments of every other language are those of this
 * one. `<b>` marks what stands out on a page.
 */
export const en = {
  'mail.code': 'To sign in, enter this code in the application:',
  'mail.fallback': 'If the button does not work, copy this address into your browser:',
  'mail.help': 'Help',
  'mail.test.subject': 'Test mail',
  'mail.test.message': 'The mail settings work. Nothing needs to be done.',

  'mail.verification.subject': 'Confirm your e-mail address',
  'mail.verification.opening':
    'Someone, probably you, signed up as {email}. Confirm that the address is yours.',
  'mail.verification.button': 'Confirm the address',
  'mail.verification.closing':
    'The link works once, within {duration}. If you did not sign up, ignore this mail.',

  'mail.recovery.subject': 'Set a new password',
  'mail.recovery.subject_named': 'Set a new password for {brand}',
  'mail.recovery.opening': 'Someone, probably you, asked for a new password for {email}.',
  'mail.recovery.opening_named': 'Someone, probably you, asked for a new password at {brand} for {email}.',
  'mail.recovery.button': 'Set a new password',
  'mail.recovery.closing':
    'The link works once, within {duration}. If you did not ask for this mail, ignore it: your password stays as it is.',

  'mail.magic_link.subject': 'Sign in to {brand}',
  'mail.magic_link.opening': 'Someone, probably you, asked to sign in to {brand} as {email}.',
  'mail.magic_link.button': 'Continue',
  'mail.magic_link.closing':
    'The code and the button work once, together, within {duration}. If you did not ask for this mail, ignore it.',

  'mail.invite.subject': 'You are invited to {brand}',
  'mail.invite.opening': 'You are invited to {brand} as {email}. Choose a password to accept the invitation.',
  'mail.invite.organization_subject': 'You are invited to {org}',
  'mail.invite.organization_opening': '{inviter} invites you to join {org} (role: {role}).',
  'mail.invite.button': 'Accept the invitation',
  'mail.invite.closing':
    'The link works once, within {duration}. If you do not know who invited you, ignore this mail.',

  'mail.email_change.subject': 'Confirm your new e-mail address',
  'mail.email_change.opening':
    'Someone, probably you, asked to use {email} as the address of their account. Confirm it if it was you.',
  'mail.email_change.button': 'Use this address',
  'mail.email_change.closing':
    'The link works once, within {duration}. If it was not you, ignore this mail: do not confirm an account that is not yours.',

  'mail.notice.closing':
    'The account is {email}. If you did not expect this, contact whoever runs the service.',
  'notice.password_set.title': 'Your password was changed',
  'notice.password_set.message':
    'An administrator set a new password for your account and ended all of its sessions.',
  'notice.password_removed.title': 'Your password was removed',
  'notice.password_removed.message':
    'An administrator removed the password of your account and ended all of its sessions. To sign in again, recover the account.',
  'notice.factor_added.title': 'A second factor was added',
  'notice.factor_added.message':
    'A second factor was added to your account. If it was not you, recover the account and ask an administrator to reset its second factors.',
  'notice.factor_removed.title': 'A second factor was removed',
  'notice.factor_removed.message':
    'A second factor was removed from your account. If it was not you, change your password and end your other sessions.',
  'notice.factors_reset.title': 'Your second factors were reset',
  'notice.factors_reset.message':
    'An administrator removed all second factors from your account and ended all of its sessions. Sign in and add a new one.',
  'notice.email_change_requested.title': 'Your address is about to change',
  'notice.email_change_requested.message':
    'Somebody who is signed in to your account asked to change its address. If it was not you, change your password now: that stops it.',
  'notice.email_changed.title': 'Your address was changed',
  'notice.email_changed.message':
    'Your account has another address now, and this one can no longer be used to sign in. If it was not you, tell an administrator.',

  'page.help': 'Help',
  'page.field.email': 'E-mail address',
  'page.field.password': 'Password',
  'page.field.new_password': 'New password',
  'page.field.repeat': 'Repeat the password',
  'page.field.length': 'At least {minLength, plural, one {# character} other {# characters}}.',

  'page.dead_link.title': 'This link does not work',
  'page.dead_link.text':
    'The link was used already, has expired or was replaced by a newer one, or a part of it is missing.',
  'page.dead_link.next': 'Ask for a new mail.',
  'page.dead_link.new_link': 'If there is no newer mail in your mailbox, you can have a new link sent to it.',
  'page.dead_link.button': 'Send a new link',
  'page.new_link.title': 'Look into your mailbox',
  'page.new_link.text':
    'If the link can be replaced, a mail with a new one is on its way to the same address.',
  'page.new_link.next':
    'No mail after a few minutes? Go back to the application, and ask for one there. You can close this page.',
  'page.new_link.dead_next': 'Go back to the application, and ask for a new mail.',
  'page.destination': 'You then go on to <b>{destination}</b>.',
  'page.go_on.title': 'Done',
  'page.go_on.text': 'You can go back to the application.',
  'page.sign_up_closed.title': 'Sign-up is closed',
  'page.sign_up_closed.text': 'This service does not accept new accounts, so the link cannot create one.',
  'page.sign_up_closed.next':
    'If you have an account with another address, sign in with it. Otherwise ask the operator of this service for an account.',
  'page.rate_limited.title': 'Too many attempts',
  'page.rate_limited.text': 'There were too many attempts from your network.',
  'page.rate_limited.next': 'Wait a few minutes, then open the link in the mail again.',
  'page.refused.title': 'That did not work',
  'page.refused.text': 'The service refused the request.',
  'page.refused.email_taken': 'An account with this e-mail address exists.',
  'page.refused.email_not_verified': 'Confirm the e-mail address of your account first.',
  'page.refused.invitation_void':
    'Whoever sent the invitation has left or may no longer invite with this role.',
  'page.refused.role_deleted': 'The role of the invitation was deleted.',
  'page.refused.already_member': 'This address belongs to a member already.',
  'page.refused.user_disabled': 'The account is disabled.',
  'page.problem.invalid_credentials': 'The password is wrong.',
  'page.problem.sign_in_required': 'This address has an account now. Enter its password.',
  'page.problem.weak_password': 'This password is one of the most used ones. Choose another.',
  'page.problem.overloaded': 'The service is busy. Try again in a few seconds.',
  'page.problem.repeat': 'The two passwords are not the same.',
  'page.problem.enter_password': 'Enter a password.',
  'page.problem.password_length':
    'The password must have at least {minLength, plural, one {# character} other {# characters}}.',

  'page.verify.title': 'Confirm your address',
  'page.verify.text':
    'Someone signed up as <b>{email}</b>. If it was you, confirm that the address is yours.',
  'page.verify.button': 'Confirm address',
  'page.verify.stranger':
    'If you did not sign up, close this page. Do not confirm an account that is not yours.',
  'page.verify.done': 'Address confirmed',
  'page.verify.done_text': '<b>{email}</b> is confirmed.',
  'page.verify.done_next': 'Go back to the application and sign in. You can close this page.',
  'page.verify.dead_next':
    'Sign in to the application where you signed up, and ask for a new confirmation mail.',

  'page.recover.title': 'Set a new password',
  'page.recover.text': 'Choose a new password. It signs you out on every device.',
  'page.recover.button': 'Set password',
  'page.recover.done': 'Your password is set',
  'page.recover.done_text':
    'The new password of <b>{email}</b> is valid now, and you are signed out on every device.',
  'page.recover.done_next':
    'Go back to the application and sign in with the new password. You can close this page.',
  'page.recover.dead_next': 'Go back to the application where you sign in, and ask for a new password again.',

  'page.change_email.title': 'Confirm your new address',
  'page.change_email.text':
    'Somebody asked to use <b>{newEmail}</b> as the address of their account, in place of <b>{formerEmail}</b>. If it was you, confirm it.',
  'page.change_email.button': 'Use this address',
  'page.change_email.stranger':
    'If it was not you, close this page. Do not give your address to an account that is not yours.',
  'page.change_email.done': 'Address changed',
  'page.change_email.done_text': '<b>{email}</b> is the address of your account now.',
  'page.change_email.done_next': 'Sign in with it from now on. You can close this page.',
  'page.change_email.dead_next': 'Go back to the application, and change the address again.',

  'page.invitation.title': 'Join {org}',
  'page.invitation.text': 'You are invited to join <b>{org}</b> with the role <b>{role}</b>.',
  'page.invitation.new_account': 'Choose a password for your new account.',
  'page.invitation.account': 'This address has an account. Enter its password.',
  'page.invitation.button': 'Accept invitation',
  'page.invitation.done': 'Welcome',
  'page.invitation.done_text': '<b>{email}</b> is now a member of <b>{org}</b> with the role <b>{role}</b>.',
  'page.invitation.done_next': 'Go back to the application and sign in. You can close this page.',
  'page.invitation.dead_next': 'Ask the person who invited you for a new invitation.',

  'page.invite.title': 'Join {brand}',
  'page.invite.text': 'Choose a password for your new account at <b>{brand}</b>, to which you are invited.',
  'page.invite.done_text': 'Your account <b>{email}</b> at <b>{brand}</b> is ready.',
  'page.invite.done_next':
    'Go back to the application and sign in with your password. You can close this page.',

  'page.magic_link.title': 'Confirm your address',
  'page.magic_link.text':
    'Confirm that <b>{email}</b> is your address at <b>{brand}</b>, if you asked for the mail.',
  'page.magic_link.code':
    'To sign in, enter the code of the mail in the application instead. The code works once: this button uses it up.',
  'page.magic_link.done_next':
    'Go back to the application, and ask for a new mail to sign in. You can close this page.',
  'page.magic_link.dead_next': 'Go back to the application where you sign in, and ask for a new mail.',
  'page.magic_link.sign_in': 'Sign in to {brand}',
  'page.magic_link.sign_in_text': 'Sign in as <b>{email}</b>, if you asked for the mail.',
  'page.magic_link.sign_in_button': 'Sign in',
  'page.magic_link.stranger': 'If you did not ask for it, close this page.',
} as const;
