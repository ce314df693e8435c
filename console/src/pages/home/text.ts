import { defineTexts } from '../../text/i18n.js';

export const useHomeText = defineTexts('home', {
  en: {
    createTitle: 'Create your first organization',
    createAnotherTitle: 'Create an organization',
    createAbout: 'Jobs, runs, members and keys belong to an organization.',
    name: 'Name',
    slug: 'Short name',
    slugHint:
      'Names the organization in web addresses and in calls of the API: lower-case letters, digits and hyphens.',
    create: 'Create organization',
    sampleTitle: 'Or begin with a sample',
    sampleAbout:
      'An organization with three jobs, each of which runs once: one succeeds, one needs retries, one fails. Delete it under Members when you have seen enough.',
    createSample: 'Create the sample',
    operatorTitle: 'You operate this deployment',
    operatorAbout:
      'Users, organizations, the queue, mails, signing keys and settings of all are under Deployment. You need no organization for them.',
    openDeployment: 'Open the deployment',
  },
  de: {
    createTitle: 'Erste Organisation anlegen',
    createAnotherTitle: 'Organisation anlegen',
    createAbout: 'Jobs, Läufe, Mitglieder und Schlüssel gehören einer Organisation.',
    name: 'Name',
    slug: 'Kurzname',
    slugHint:
      'Benennt die Organisation in Webadressen und in Aufrufen der API: Kleinbuchstaben, Ziffern und Bindestriche.',
    create: 'Organisation anlegen',
    sampleTitle: 'Oder mit einem Beispiel beginnen',
    sampleAbout:
      'Eine Organisation mit drei Jobs, von denen jeder einmal läuft: Einer gelingt, einer braucht Wiederholungen, einer schlägt fehl. Löschen Sie sie unter Mitglieder, wenn Sie genug gesehen haben.',
    createSample: 'Beispiel anlegen',
    operatorTitle: 'Sie betreiben diese Installation',
    operatorAbout:
      'Benutzer, Organisationen, Warteschlange, Mails, Signaturschlüssel und Einstellungen aller stehen unter Installation. Dafür brauchen Sie keine Organisation.',
    openDeployment: 'Installation öffnen',
  },
});
