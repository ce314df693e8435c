import { defineTexts } from '../../text/i18n.js';

export const useFirstFactorText = defineTexts('first-factor', {
  en: {
    title: 'Add a second factor',
    about: '{{email}} operates this deployment. Whoever does needs more than a password to sign in.',
    how: 'Use this device or a security key, or an authenticator application on your phone.',
    goOn: 'Go on',
    signOut: 'Sign out',
  },
  de: {
    title: 'Zweiten Faktor hinzufügen',
    about: '{{email}} betreibt diese Installation. Dafür genügt ein Passwort allein nicht.',
    how: 'Nehmen Sie dieses Gerät, einen Sicherheitsschlüssel oder eine Authenticator-App auf dem Telefon.',
    goOn: 'Weiter',
    signOut: 'Abmelden',
  },
});
