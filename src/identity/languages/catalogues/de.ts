import type { Catalogue } from './catalogue.js';

export const de: Catalogue = {
  'mail.code': 'Um sich anzumelden, geben Sie diesen Code in der Anwendung ein:',
  'mail.fallback': 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  'mail.help': 'Hilfe',
  'mail.test.subject': 'Testnachricht',
  'mail.test.message': 'Die E-Mail-Einstellungen funktionieren. Sie müssen nichts weiter tun.',

  'mail.verification.subject': 'Bestätigen Sie Ihre E-Mail-Adresse',
  'mail.verification.opening':
    'Jemand, vermutlich Sie, hat sich als {email} registriert. Bestätigen Sie, dass die Adresse Ihnen gehört.',
  'mail.verification.button': 'Adresse bestätigen',
  'mail.verification.closing':
    'Der Link ist {duration} gültig und funktioniert nur einmal. Wenn Sie sich nicht registriert haben, ignorieren Sie diese E-Mail.',

  'mail.recovery.subject': 'Neues Passwort festlegen',
  'mail.recovery.subject_named': 'Neues Passwort für {brand} festlegen',
  'mail.recovery.opening': 'Jemand, vermutlich Sie, hat ein neues Passwort für {email} angefordert.',
  'mail.recovery.opening_named':
    'Jemand, vermutlich Sie, hat bei {brand} ein neues Passwort für {email} angefordert.',
  'mail.recovery.button': 'Neues Passwort festlegen',
  'mail.recovery.closing':
    'Der Link ist {duration} gültig und funktioniert nur einmal. Wenn Sie diese E-Mail nicht angefordert haben, ignorieren Sie sie: Ihr Passwort bleibt unverändert.',

  'mail.magic_link.subject': 'Anmeldung bei {brand}',
  'mail.magic_link.opening': 'Jemand, vermutlich Sie, möchte sich bei {brand} als {email} anmelden.',
  'mail.magic_link.button': 'Weiter',
  'mail.magic_link.closing':
    'Code und Schaltfläche sind {duration} gültig und funktionieren zusammen nur einmal. Wenn Sie diese E-Mail nicht angefordert haben, ignorieren Sie sie.',

  'mail.invite.subject': 'Einladung zu {brand}',
  'mail.invite.opening':
    'Sie sind als {email} zu {brand} eingeladen. Wählen Sie ein Passwort, um die Einladung anzunehmen.',
  'mail.invite.organization_subject': 'Einladung zu {org}',
  'mail.invite.organization_opening': '{inviter} lädt Sie ein, {org} beizutreten (Rolle: {role}).',
  'mail.invite.button': 'Einladung annehmen',
  'mail.invite.closing':
    'Der Link ist {duration} gültig und funktioniert nur einmal. Wenn Sie nicht wissen, wer Sie eingeladen hat, ignorieren Sie diese E-Mail.',

  'mail.email_change.subject': 'Bestätigen Sie Ihre neue E-Mail-Adresse',
  'mail.email_change.opening':
    'Jemand, vermutlich Sie, möchte {email} als Adresse seines Kontos verwenden. Bestätigen Sie das, wenn Sie es waren.',
  'mail.email_change.button': 'Diese Adresse verwenden',
  'mail.email_change.closing':
    'Der Link ist {duration} gültig und funktioniert nur einmal. Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Bestätigen Sie kein Konto, das nicht Ihnen gehört.',

  'mail.notice.closing':
    'Es geht um das Konto {email}. Wenn Sie das nicht erwartet haben, wenden Sie sich an den Betreiber des Dienstes.',
  'notice.password_set.title': 'Ihr Passwort wurde geändert',
  'notice.password_set.message':
    'Ein Administrator hat ein neues Passwort für Ihr Konto festgelegt und alle Sitzungen beendet.',
  'notice.password_removed.title': 'Ihr Passwort wurde entfernt',
  'notice.password_removed.message':
    'Ein Administrator hat das Passwort Ihres Kontos entfernt und alle Sitzungen beendet. Um sich wieder anzumelden, fordern Sie ein neues Passwort an.',
  'notice.factor_added.title': 'Ein zweiter Faktor wurde hinzugefügt',
  'notice.factor_added.message':
    'Ihrem Konto wurde ein zweiter Faktor hinzugefügt. Wenn Sie das nicht waren, fordern Sie ein neues Passwort an und bitten Sie einen Administrator, die zweiten Faktoren zurückzusetzen.',
  'notice.factor_removed.title': 'Ein zweiter Faktor wurde entfernt',
  'notice.factor_removed.message':
    'Von Ihrem Konto wurde ein zweiter Faktor entfernt. Wenn Sie das nicht waren, ändern Sie Ihr Passwort und beenden Sie Ihre anderen Sitzungen.',
  'notice.factors_reset.title': 'Ihre zweiten Faktoren wurden zurückgesetzt',
  'notice.factors_reset.message':
    'Ein Administrator hat alle zweiten Faktoren Ihres Kontos entfernt und alle Sitzungen beendet. Melden Sie sich an und fügen Sie einen neuen hinzu.',
  'notice.email_change_requested.title': 'Ihre Adresse soll geändert werden',
  'notice.email_change_requested.message':
    'Jemand, der in Ihrem Konto angemeldet ist, möchte dessen Adresse ändern. Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort: Das verhindert die Änderung.',
  'notice.email_changed.title': 'Ihre Adresse wurde geändert',
  'notice.email_changed.message':
    'Ihr Konto hat jetzt eine andere Adresse; mit dieser können Sie sich nicht mehr anmelden. Wenn Sie das nicht waren, informieren Sie einen Administrator.',

  'page.help': 'Hilfe',
  'page.field.email': 'E-Mail-Adresse',
  'page.field.password': 'Passwort',
  'page.field.new_password': 'Neues Passwort',
  'page.field.repeat': 'Passwort wiederholen',
  'page.field.length': 'Mindestens {minLength, plural, one {# Zeichen} other {# Zeichen}}.',

  'page.dead_link.title': 'Dieser Link funktioniert nicht',
  'page.dead_link.text':
    'Der Link wurde bereits benutzt, ist abgelaufen oder durch einen neueren ersetzt, oder ein Teil davon fehlt.',
  'page.dead_link.next': 'Fordern Sie eine neue E-Mail an.',
  'page.dead_link.new_link':
    'Wenn in Ihrem Postfach keine neuere E-Mail liegt, können Sie sich einen neuen Link dorthin schicken lassen.',
  'page.dead_link.button': 'Neuen Link senden',
  'page.new_link.title': 'Sehen Sie in Ihr Postfach',
  'page.new_link.text':
    'Wenn der Link ersetzt werden kann, ist eine E-Mail mit einem neuen an dieselbe Adresse unterwegs.',
  'page.new_link.next':
    'Nach ein paar Minuten noch keine E-Mail? Gehen Sie zurück zur Anwendung und fordern Sie dort eine an. Sie können diese Seite schließen.',
  'page.new_link.dead_next': 'Gehen Sie zurück zur Anwendung und fordern Sie eine neue E-Mail an.',
  'page.destination': 'Danach geht es weiter zu <b>{destination}</b>.',
  'page.go_on.title': 'Fertig',
  'page.go_on.text': 'Sie können zur Anwendung zurückgehen.',
  'page.sign_up_closed.title': 'Die Registrierung ist geschlossen',
  'page.sign_up_closed.text':
    'Dieser Dienst nimmt keine neuen Konten an; der Link kann deshalb keines anlegen.',
  'page.sign_up_closed.next':
    'Wenn Sie ein Konto mit einer anderen Adresse haben, melden Sie sich damit an. Andernfalls bitten Sie den Betreiber dieses Dienstes um ein Konto.',
  'page.rate_limited.title': 'Zu viele Versuche',
  'page.rate_limited.text': 'Aus Ihrem Netzwerk kamen zu viele Versuche.',
  'page.rate_limited.next': 'Warten Sie einige Minuten und öffnen Sie den Link in der E-Mail dann erneut.',
  'page.refused.title': 'Das hat nicht geklappt',
  'page.refused.text': 'Der Dienst hat die Anfrage abgelehnt.',
  'page.refused.email_taken': 'Es gibt bereits ein Konto mit dieser E-Mail-Adresse.',
  'page.refused.email_not_verified': 'Bestätigen Sie zuerst die E-Mail-Adresse Ihres Kontos.',
  'page.refused.invitation_void':
    'Wer die Einladung verschickt hat, ist nicht mehr dabei oder darf mit dieser Rolle nicht mehr einladen.',
  'page.refused.role_deleted': 'Die Rolle der Einladung wurde gelöscht.',
  'page.refused.already_member': 'Diese Adresse gehört bereits einem Mitglied.',
  'page.refused.user_disabled': 'Das Konto ist deaktiviert.',
  'page.problem.invalid_credentials': 'Das Passwort ist falsch.',
  'page.problem.sign_in_required':
    'Zu dieser Adresse gibt es jetzt ein Konto. Geben Sie dessen Passwort ein.',
  'page.problem.weak_password':
    'Dieses Passwort gehört zu den am häufigsten benutzten. Wählen Sie ein anderes.',
  'page.problem.overloaded': 'Der Dienst ist ausgelastet. Versuchen Sie es in einigen Sekunden erneut.',
  'page.problem.repeat': 'Die beiden Passwörter stimmen nicht überein.',
  'page.problem.enter_password': 'Geben Sie ein Passwort ein.',
  'page.problem.password_length':
    'Das Passwort muss mindestens {minLength, plural, one {# Zeichen} other {# Zeichen}} lang sein.',

  'page.verify.title': 'Bestätigen Sie Ihre Adresse',
  'page.verify.text':
    'Jemand hat sich als <b>{email}</b> registriert. Wenn Sie das waren, bestätigen Sie, dass die Adresse Ihnen gehört.',
  'page.verify.button': 'Adresse bestätigen',
  'page.verify.stranger':
    'Wenn Sie sich nicht registriert haben, schließen Sie diese Seite. Bestätigen Sie kein Konto, das nicht Ihnen gehört.',
  'page.verify.done': 'Adresse bestätigt',
  'page.verify.done_text': '<b>{email}</b> ist bestätigt.',
  'page.verify.done_next':
    'Gehen Sie zurück zur Anwendung und melden Sie sich an. Sie können diese Seite schließen.',
  'page.verify.dead_next':
    'Melden Sie sich in der Anwendung an, bei der Sie sich registriert haben, und fordern Sie eine neue Bestätigungs-E-Mail an.',

  'page.recover.title': 'Neues Passwort festlegen',
  'page.recover.text': 'Wählen Sie ein neues Passwort. Sie werden dadurch auf allen Geräten abgemeldet.',
  'page.recover.button': 'Passwort festlegen',
  'page.recover.done': 'Ihr Passwort ist festgelegt',
  'page.recover.done_text':
    'Das neue Passwort von <b>{email}</b> gilt ab jetzt, und Sie sind auf allen Geräten abgemeldet.',
  'page.recover.done_next':
    'Gehen Sie zurück zur Anwendung und melden Sie sich mit dem neuen Passwort an. Sie können diese Seite schließen.',
  'page.recover.dead_next':
    'Gehen Sie zurück zur Anwendung, in der Sie sich anmelden, und fordern Sie noch einmal ein neues Passwort an.',

  'page.change_email.title': 'Bestätigen Sie Ihre neue Adresse',
  'page.change_email.text':
    'Jemand möchte <b>{newEmail}</b> statt <b>{formerEmail}</b> als Adresse seines Kontos verwenden. Wenn Sie das waren, bestätigen Sie es.',
  'page.change_email.button': 'Diese Adresse verwenden',
  'page.change_email.stranger':
    'Wenn Sie das nicht waren, schließen Sie diese Seite. Geben Sie Ihre Adresse keinem Konto, das nicht Ihnen gehört.',
  'page.change_email.done': 'Adresse geändert',
  'page.change_email.done_text': '<b>{email}</b> ist jetzt die Adresse Ihres Kontos.',
  'page.change_email.done_next': 'Melden Sie sich ab jetzt damit an. Sie können diese Seite schließen.',
  'page.change_email.dead_next': 'Gehen Sie zurück zur Anwendung und ändern Sie die Adresse noch einmal.',

  'page.invitation.title': 'Beitritt zu {org}',
  'page.invitation.text': 'Sie sind eingeladen, <b>{org}</b> mit der Rolle <b>{role}</b> beizutreten.',
  'page.invitation.new_account': 'Wählen Sie ein Passwort für Ihr neues Konto.',
  'page.invitation.account': 'Zu dieser Adresse gibt es ein Konto. Geben Sie dessen Passwort ein.',
  'page.invitation.button': 'Einladung annehmen',
  'page.invitation.done': 'Willkommen',
  'page.invitation.done_text':
    '<b>{email}</b> ist jetzt Mitglied von <b>{org}</b> mit der Rolle <b>{role}</b>.',
  'page.invitation.done_next':
    'Gehen Sie zurück zur Anwendung und melden Sie sich an. Sie können diese Seite schließen.',
  'page.invitation.dead_next': 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung.',

  'page.invite.title': 'Beitritt zu {brand}',
  'page.invite.text': 'Sie sind zu <b>{brand}</b> eingeladen. Wählen Sie ein Passwort für Ihr neues Konto.',
  'page.invite.done_text': 'Ihr Konto <b>{email}</b> bei <b>{brand}</b> ist bereit.',
  'page.invite.done_next':
    'Gehen Sie zurück zur Anwendung und melden Sie sich mit Ihrem Passwort an. Sie können diese Seite schließen.',

  'page.magic_link.title': 'Bestätigen Sie Ihre Adresse',
  'page.magic_link.text':
    'Bestätigen Sie, dass <b>{email}</b> Ihre Adresse bei <b>{brand}</b> ist, wenn Sie die E-Mail angefordert haben.',
  'page.magic_link.code':
    'Um sich anzumelden, geben Sie stattdessen den Code aus der E-Mail in der Anwendung ein. Der Code funktioniert nur einmal: Diese Schaltfläche verbraucht ihn.',
  'page.magic_link.done_next':
    'Gehen Sie zurück zur Anwendung und fordern Sie zum Anmelden eine neue E-Mail an. Sie können diese Seite schließen.',
  'page.magic_link.dead_next':
    'Gehen Sie zurück zur Anwendung, in der Sie sich anmelden, und fordern Sie eine neue E-Mail an.',
  'page.magic_link.sign_in': 'Anmeldung bei {brand}',
  'page.magic_link.sign_in_text':
    'Melden Sie sich als <b>{email}</b> an, wenn Sie die E-Mail angefordert haben.',
  'page.magic_link.sign_in_button': 'Anmelden',
  'page.magic_link.stranger': 'Wenn Sie sie nicht angefordert haben, schließen Sie diese Seite.',
};
