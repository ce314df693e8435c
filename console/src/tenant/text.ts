import { defineTexts } from '../text/i18n.js';

export const useTenantText = defineTexts('tenant', {
  en: {
    notOpen: 'This is not open to you',
    notOpenText: 'There is nothing of this name here, or you do not belong to it.',
    home: 'To the start',
    permissions: 'Permissions',
    ended: 'Runs that ended',
    durations: 'How long they took',
    notHeld: 'You can grant only what you hold yourself.',
    triggerNeedsRead: 'To trigger a job in the console, one needs jobs:jobs:read too, to see it.',
    further: 'Further permissions',
    furtherHint:
      'One per line, as capability:resource:action, for example data:orders:read. An asterisk stands for every word in its place.',
  },
  de: {
    notOpen: 'Das steht Ihnen nicht offen',
    notOpenText: 'Es gibt hier nichts mit diesem Namen, oder Sie gehören nicht dazu.',
    home: 'Zum Anfang',
    permissions: 'Berechtigungen',
    ended: 'Beendete Läufe',
    durations: 'Wie lange sie brauchten',
    notHeld: 'Sie können nur erteilen, was Sie selbst haben.',
    triggerNeedsRead:
      'Um einen Job in der Konsole auszulösen, braucht man auch jobs:jobs:read: Sonst ist er nicht zu sehen.',
    further: 'Weitere Berechtigungen',
    furtherHint:
      'Eine je Zeile, als Bereich:Ressource:Aktion, zum Beispiel data:orders:read. Ein Stern steht für jedes Wort an seiner Stelle.',
  },
});
