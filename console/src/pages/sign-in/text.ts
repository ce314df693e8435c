import { defineTexts } from '../../text/i18n.js';

export const useSignInText = defineTexts('sign-in', {
  en: {
    title: 'Sign in',
    about: 'With the account that you have here.',
    aboutOperators: 'With the account of an operator of this deployment.',
    email: 'E-mail address',
    password: 'Password',
    signIn: 'Sign in',
    invalid: 'The address or the password is wrong.',
  },
  de: {
    title: 'Anmelden',
    about: 'Mit Ihrem Konto bei diesem Dienst.',
    aboutOperators: 'Mit dem Konto eines Betreibers dieser Installation.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    signIn: 'Anmelden',
    invalid: 'Die Adresse oder das Passwort ist falsch.',
  },
});
