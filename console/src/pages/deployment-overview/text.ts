import { defineTexts } from '../../text/i18n.js';

export const useDeploymentOverviewText = defineTexts('deployment-overview', {
  en: {
    title: 'Overview',
    about: 'People who sign in, and what is at work, in the whole deployment.',
    signedIn: 'Signed in',
    refused: 'Refused',
    unanswered: 'Not answered',
    signedUp: 'Signed up',
    signIns: 'Sign-ins',
    signInsHint: 'Refreshing a session does not count as a sign-in.',
    refusedHint: 'Wrong passwords, links that are no longer valid, locked accounts.',
    signUps: 'New accounts',
    waiting: 'Runs waiting',
    atWork: 'Runs at work',
    instances: 'Instances',
  },
  de: {
    title: 'Übersicht',
    about: 'Wer sich anmeldet und was läuft, in der ganzen Installation.',
    signedIn: 'Angemeldet',
    refused: 'Abgewiesen',
    unanswered: 'Nicht beantwortet',
    signedUp: 'Registriert',
    signIns: 'Anmeldungen',
    signInsHint: 'Die Erneuerung einer Sitzung ist keine Anmeldung.',
    refusedHint: 'Falsche Passwörter, abgelaufene Links, gesperrte Konten.',
    signUps: 'Neue Konten',
    waiting: 'Wartende Läufe',
    atWork: 'Laufende Läufe',
    instances: 'Instanzen',
  },
});
