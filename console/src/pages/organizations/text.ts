import { defineTexts } from '../../text/i18n.js';

export const useOrganizationsText = defineTexts('organizations', {
  en: {
    title: 'Organizations',
    about: 'Every organization of the deployment, newest first.',
    organization: 'Organization',
    members: 'Members',
    find: 'Find by name or short name',
    id: 'Organization id',
    created: 'Created',
    more: 'Show older organizations',
    emptyTitle: 'No organizations yet',
    emptyText: 'An organization appears here when a user or you create one.',
    create: 'Create organization',
    createSubmit: 'Create',
    name: 'Name',
    slug: 'Short name',
    slugHint:
      'Names the organization in web addresses and in calls of the API: lower-case letters, digits and hyphens.',
    owner: 'Address or id of the owner',
    ownerHint: 'A user who has an account. If its address is not verified, give the id.',
  },
  de: {
    title: 'Organisationen',
    about: 'Alle Organisationen der Installation, neueste zuerst.',
    organization: 'Organisation',
    members: 'Mitglieder',
    find: 'Nach Name oder Kurzname suchen',
    id: 'Organisations-ID',
    created: 'Angelegt',
    more: 'Ältere Organisationen zeigen',
    emptyTitle: 'Noch keine Organisationen',
    emptyText: 'Eine Organisation erscheint hier, wenn ein Benutzer oder Sie sie anlegen.',
    create: 'Organisation anlegen',
    createSubmit: 'Anlegen',
    name: 'Name',
    slug: 'Kurzname',
    slugHint:
      'Benennt die Organisation in Webadressen und in Aufrufen der API: Kleinbuchstaben, Ziffern und Bindestriche.',
    owner: 'Adresse oder ID der Besitzerin oder des Besitzers',
    ownerHint: 'Ein Benutzer mit einem Konto. Ist dessen Adresse nicht bestätigt, geben Sie die ID an.',
  },
});
