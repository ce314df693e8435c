import { defineTexts } from '../../text/i18n.js';

export const useOrganizationChangeText = defineTexts('organizationChange', {
  en: {
    name: 'Name',
    slug: 'Short name',
    slugHint: 'In web addresses and in calls of the API. A former one still leads here for 30 days.',
    save: 'Save',
    edit: 'Edit',
    editTitle: 'Edit organization',
    delete: 'Delete organization',
    deleteQuestion:
      'This deletes {{name}} for good, with its members, roles, invitations, API keys, jobs, runs and secrets. Type {{slug}} to confirm.',
  },
  de: {
    name: 'Name',
    slug: 'Kurzname',
    slugHint: 'In Webadressen und in Aufrufen der API. Ein früherer führt noch 30 Tage hierher.',
    save: 'Speichern',
    edit: 'Bearbeiten',
    editTitle: 'Organisation bearbeiten',
    delete: 'Organisation löschen',
    deleteQuestion:
      'Das löscht {{name}} endgültig, mit Mitgliedern, Rollen, Einladungen, API-Schlüsseln, Jobs, Läufen und Geheimnissen. Geben Sie zur Bestätigung {{slug}} ein.',
  },
});
