import { defineTexts } from '../../text/i18n.js';

export const useFirstFactorText = defineTexts('first-factor', {
  en: {
    title: 'Add a second factor',
    about: '{{email}} is an operator of this deployment. Operators sign in with a second factor.',
    how: 'Use this device or a security key, or an authenticator application on your phone.',
    howWithout: 'Use an authenticator application on your phone.',
    passkeysAt: 'Browsers have passkeys under a name only, not under an IP address. To use one, open',
    goOn: 'Go on',
    signOut: 'Sign out',
  },
  de: {
    title: 'Zweiten Faktor hinzufügen',
    about: '{{email}} betreibt diese Installation. Dafür genügt ein Passwort allein nicht.',
    how: 'Nehmen Sie dieses Gerät, einen Sicherheitsschlüssel oder eine Authenticator-App auf dem Telefon.',
    howWithout: 'Nehmen Sie eine Authenticator-App auf dem Telefon.',
    passkeysAt:
      'Browser haben Passkeys nur unter einem Namen, nicht unter einer IP-Adresse. Öffnen Sie dafür',
    goOn: 'Weiter',
    signOut: 'Abmelden',
  },
});
