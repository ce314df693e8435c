import type { Catalogue } from './catalogue.js';

export const es: Catalogue = {
  'mail.code': 'Para iniciar sesión, introduce este código en la aplicación:',
  'mail.fallback': 'Si el botón no funciona, copia esta dirección en tu navegador:',
  'mail.help': 'Ayuda',
  'mail.test.subject': 'Mensaje de prueba',
  'mail.test.message': 'La configuración del correo funciona. No tienes que hacer nada.',

  'mail.verification.subject': 'Confirma tu dirección de correo electrónico',
  'mail.verification.opening':
    'Alguien, probablemente tú, se ha registrado como {email}. Confirma que la dirección es tuya.',
  'mail.verification.button': 'Confirmar la dirección',
  'mail.verification.closing':
    'El enlace es válido durante {duration} y funciona una sola vez. Si no te has registrado, ignora este mensaje.',

  'mail.recovery.subject': 'Elige una contraseña nueva',
  'mail.recovery.subject_named': 'Elige una contraseña nueva para {brand}',
  'mail.recovery.opening': 'Alguien, probablemente tú, ha pedido una contraseña nueva para {email}.',
  'mail.recovery.opening_named':
    'Alguien, probablemente tú, ha pedido una contraseña nueva en {brand} para {email}.',
  'mail.recovery.button': 'Elegir una contraseña nueva',
  'mail.recovery.closing':
    'El enlace es válido durante {duration} y funciona una sola vez. Si no has pedido este mensaje, ignóralo: tu contraseña no cambia.',

  'mail.magic_link.subject': 'Inicia sesión en {brand}',
  'mail.magic_link.opening': 'Alguien, probablemente tú, ha pedido iniciar sesión en {brand} como {email}.',
  'mail.magic_link.button': 'Continuar',
  'mail.magic_link.closing':
    'El código y el botón son válidos durante {duration} y funcionan, juntos, una sola vez. Si no has pedido este mensaje, ignóralo.',

  'mail.invite.subject': 'Te han invitado a {brand}',
  'mail.invite.opening':
    'Te han invitado a {brand} como {email}. Elige una contraseña para aceptar la invitación.',
  'mail.invite.organization_subject': 'Te han invitado a {org}',
  'mail.invite.organization_opening': '{inviter} te invita a unirte a {org} (rol: {role}).',
  'mail.invite.button': 'Aceptar la invitación',
  'mail.invite.closing':
    'El enlace es válido durante {duration} y funciona una sola vez. Si no sabes quién te ha invitado, ignora este mensaje.',

  'mail.email_change.subject': 'Confirma tu nueva dirección de correo electrónico',
  'mail.email_change.opening':
    'Alguien, probablemente tú, ha pedido usar {email} como dirección de su cuenta. Confírmalo si has sido tú.',
  'mail.email_change.button': 'Usar esta dirección',
  'mail.email_change.closing':
    'El enlace es válido durante {duration} y funciona una sola vez. Si no has sido tú, ignora este mensaje: no confirmes una cuenta que no es tuya.',

  'mail.notice.closing':
    'Se trata de la cuenta {email}. Si no lo esperabas, ponte en contacto con quien gestiona el servicio.',
  'notice.password_set.title': 'Tu contraseña ha cambiado',
  'notice.password_set.message':
    'Un administrador ha establecido una contraseña nueva para tu cuenta y ha cerrado todas sus sesiones.',
  'notice.password_removed.title': 'Tu contraseña se ha eliminado',
  'notice.password_removed.message':
    'Un administrador ha eliminado la contraseña de tu cuenta y ha cerrado todas sus sesiones. Para volver a iniciar sesión, pide una contraseña nueva.',
  'notice.factor_added.title': 'Se ha añadido un segundo factor',
  'notice.factor_added.message':
    'Se ha añadido un segundo factor a tu cuenta. Si no has sido tú, pide una contraseña nueva y solicita a un administrador que restablezca los segundos factores.',
  'notice.factor_removed.title': 'Se ha eliminado un segundo factor',
  'notice.factor_removed.message':
    'Se ha eliminado un segundo factor de tu cuenta. Si no has sido tú, cambia la contraseña y cierra tus otras sesiones.',
  'notice.factors_reset.title': 'Se han restablecido tus segundos factores',
  'notice.factors_reset.message':
    'Un administrador ha eliminado todos los segundos factores de tu cuenta y ha cerrado todas sus sesiones. Inicia sesión y añade uno nuevo.',
  'notice.email_change_requested.title': 'Tu dirección está a punto de cambiar',
  'notice.email_change_requested.message':
    'Alguien con una sesión abierta en tu cuenta ha pedido cambiar su dirección. Si no has sido tú, cambia la contraseña ahora: eso anula la solicitud.',
  'notice.email_changed.title': 'Tu dirección ha cambiado',
  'notice.email_changed.message':
    'Tu cuenta tiene ahora otra dirección, y esta ya no sirve para iniciar sesión. Si no has sido tú, avisa a un administrador.',

  'page.help': 'Ayuda',
  'page.field.email': 'Dirección de correo electrónico',
  'page.field.password': 'Contraseña',
  'page.field.new_password': 'Contraseña nueva',
  'page.field.repeat': 'Repite la contraseña',
  'page.field.length': 'Al menos {minLength, plural, one {# carácter} other {# caracteres}}.',

  'page.dead_link.title': 'Este enlace no funciona',
  'page.dead_link.text':
    'El enlace ya se ha usado, ha caducado o se ha sustituido por otro más reciente, o le falta una parte.',
  'page.dead_link.next': 'Pide un mensaje nuevo.',
  'page.dead_link.new_link':
    'Si no hay un mensaje más reciente en tu buzón, puedes pedir que se envíe a él un enlace nuevo.',
  'page.dead_link.button': 'Enviar un enlace nuevo',
  'page.new_link.title': 'Mira tu buzón',
  'page.new_link.text':
    'Si el enlace se puede sustituir, un mensaje con uno nuevo va de camino a la misma dirección.',
  'page.new_link.next':
    '¿No llega ningún mensaje en unos minutos? Vuelve a la aplicación y pide uno allí. Puedes cerrar esta página.',
  'page.new_link.dead_next': 'Vuelve a la aplicación y pide un mensaje nuevo.',
  'page.destination': 'Después continuarás en <b>{destination}</b>.',
  'page.go_on.title': 'Listo',
  'page.go_on.text': 'Puedes volver a la aplicación.',
  'page.sign_up_closed.title': 'El registro está cerrado',
  'page.sign_up_closed.text':
    'Este servicio no admite cuentas nuevas, así que el enlace no puede crear ninguna.',
  'page.sign_up_closed.next':
    'Si tienes una cuenta con otra dirección, inicia sesión con ella. Si no, pide una cuenta a quien gestiona este servicio.',
  'page.rate_limited.title': 'Demasiados intentos',
  'page.rate_limited.text': 'Ha habido demasiados intentos desde tu red.',
  'page.rate_limited.next': 'Espera unos minutos y vuelve a abrir el enlace del mensaje.',
  'page.refused.title': 'No ha funcionado',
  'page.refused.text': 'El servicio ha rechazado la solicitud.',
  'page.refused.email_taken': 'Ya existe una cuenta con esta dirección de correo electrónico.',
  'page.refused.email_not_verified': 'Confirma primero la dirección de correo electrónico de tu cuenta.',
  'page.refused.invitation_void': 'Quien envió la invitación ya no está o ya no puede invitar con este rol.',
  'page.refused.role_deleted': 'El rol de la invitación se ha eliminado.',
  'page.refused.already_member': 'Esta dirección ya es de un miembro.',
  'page.refused.user_disabled': 'La cuenta está desactivada.',
  'page.problem.invalid_credentials': 'La contraseña es incorrecta.',
  'page.problem.sign_in_required': 'Esta dirección ya tiene una cuenta. Introduce su contraseña.',
  'page.problem.weak_password': 'Esta contraseña es una de las más usadas. Elige otra.',
  'page.problem.overloaded': 'El servicio está saturado. Vuelve a intentarlo en unos segundos.',
  'page.problem.repeat': 'Las dos contraseñas no coinciden.',
  'page.problem.enter_password': 'Introduce una contraseña.',
  'page.problem.password_length':
    'La contraseña debe tener al menos {minLength, plural, one {# carácter} other {# caracteres}}.',

  'page.verify.title': 'Confirma tu dirección',
  'page.verify.text':
    'Alguien se ha registrado como <b>{email}</b>. Si has sido tú, confirma que la dirección es tuya.',
  'page.verify.button': 'Confirmar la dirección',
  'page.verify.stranger':
    'Si no te has registrado, cierra esta página. No confirmes una cuenta que no es tuya.',
  'page.verify.done': 'Dirección confirmada',
  'page.verify.done_text': '<b>{email}</b> está confirmada.',
  'page.verify.done_next': 'Vuelve a la aplicación e inicia sesión. Puedes cerrar esta página.',
  'page.verify.dead_next':
    'Inicia sesión en la aplicación donde te registraste y pide un nuevo mensaje de confirmación.',

  'page.recover.title': 'Elige una contraseña nueva',
  'page.recover.text': 'Elige una contraseña nueva. Se cerrará tu sesión en todos los dispositivos.',
  'page.recover.button': 'Guardar la contraseña',
  'page.recover.done': 'Tu contraseña se ha guardado',
  'page.recover.done_text':
    'La contraseña nueva de <b>{email}</b> ya es válida, y se ha cerrado tu sesión en todos los dispositivos.',
  'page.recover.done_next':
    'Vuelve a la aplicación e inicia sesión con la contraseña nueva. Puedes cerrar esta página.',
  'page.recover.dead_next':
    'Vuelve a la aplicación donde inicias sesión y pide otra vez una contraseña nueva.',

  'page.change_email.title': 'Confirma tu nueva dirección',
  'page.change_email.text':
    'Alguien ha pedido usar <b>{newEmail}</b> como dirección de su cuenta, en lugar de <b>{formerEmail}</b>. Si has sido tú, confírmalo.',
  'page.change_email.button': 'Usar esta dirección',
  'page.change_email.stranger':
    'Si no has sido tú, cierra esta página. No des tu dirección a una cuenta que no es tuya.',
  'page.change_email.done': 'Dirección cambiada',
  'page.change_email.done_text': '<b>{email}</b> es ahora la dirección de tu cuenta.',
  'page.change_email.done_next': 'A partir de ahora, inicia sesión con ella. Puedes cerrar esta página.',
  'page.change_email.dead_next': 'Vuelve a la aplicación y cambia la dirección otra vez.',

  'page.invitation.title': 'Únete a {org}',
  'page.invitation.text': 'Te han invitado a unirte a <b>{org}</b> con el rol <b>{role}</b>.',
  'page.invitation.new_account': 'Elige una contraseña para tu cuenta nueva.',
  'page.invitation.account': 'Esta dirección tiene una cuenta. Introduce su contraseña.',
  'page.invitation.button': 'Aceptar la invitación',
  'page.invitation.done': 'Te damos la bienvenida',
  'page.invitation.done_text': '<b>{email}</b> ya es miembro de <b>{org}</b> con el rol <b>{role}</b>.',
  'page.invitation.done_next': 'Vuelve a la aplicación e inicia sesión. Puedes cerrar esta página.',
  'page.invitation.dead_next': 'Pide una invitación nueva a la persona que te invitó.',

  'page.invite.title': 'Únete a {brand}',
  'page.invite.text': 'Te han invitado a <b>{brand}</b>. Elige una contraseña para tu cuenta nueva.',
  'page.invite.done_text': 'Tu cuenta <b>{email}</b> en <b>{brand}</b> está lista.',
  'page.invite.done_next':
    'Vuelve a la aplicación e inicia sesión con tu contraseña. Puedes cerrar esta página.',

  'page.magic_link.title': 'Confirma tu dirección',
  'page.magic_link.text':
    'Confirma que <b>{email}</b> es tu dirección en <b>{brand}</b>, si has pedido el mensaje.',
  'page.magic_link.code':
    'Para iniciar sesión, introduce en cambio el código del mensaje en la aplicación. El código funciona una sola vez: este botón lo gasta.',
  'page.magic_link.done_next':
    'Vuelve a la aplicación y pide un mensaje nuevo para iniciar sesión. Puedes cerrar esta página.',
  'page.magic_link.dead_next': 'Vuelve a la aplicación donde inicias sesión y pide un mensaje nuevo.',
  'page.magic_link.sign_in': 'Inicia sesión en {brand}',
  'page.magic_link.sign_in_text': 'Inicia sesión como <b>{email}</b>, si has pedido el mensaje.',
  'page.magic_link.sign_in_button': 'Iniciar sesión',
  'page.magic_link.stranger': 'Si no lo has pedido, cierra esta página.',
};
