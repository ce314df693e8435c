import { defineTexts } from '../../text/i18n.js';

export const useSigningKeysText = defineTexts('signingKeys', {
  en: {
    title: 'Signing keys',
    about: 'They sign access tokens. Other programs verify tokens with the public keys at {{address}}.',
    kid: 'Key',
    state: 'State',
    next: 'Next',
    active: 'Active',
    retiring: 'Retiring',
    retired: 'Retired',
    nextAbout: 'published, signs from {{at}} on',
    activeAbout: 'signs every new token',
    retiringAbout: 'verifies until {{at}}',
    retiredAbout: 'verifies no more',
    created: 'Created',
    signs: 'Signs from',
    retires: 'Verifies until',
    rotate: 'Rotate',
    rotateTitle: 'Rotate the signing key',
    rotateText:
      'A new key is published at once and signs once every verifier can have read it. The one that signs now verifies until its last token has expired. Nobody is signed out.',
    immediate: 'The key has leaked',
    immediateText:
      'The new key signs at once, and every access token in use is refused. Sessions get new ones by themselves.',
    more: 'Earlier keys',
  },
  de: {
    title: 'Signaturschlüssel',
    about:
      'Sie signieren Zugangstoken. Andere Programme prüfen Token mit den öffentlichen Schlüsseln unter {{address}}.',
    kid: 'Schlüssel',
    state: 'Zustand',
    next: 'Nächster',
    active: 'Aktiv',
    retiring: 'Läuft aus',
    retired: 'Ausgelaufen',
    nextAbout: 'veröffentlicht, signiert ab {{at}}',
    activeAbout: 'signiert jedes neue Token',
    retiringAbout: 'prüft bis {{at}}',
    retiredAbout: 'prüft nicht mehr',
    created: 'Angelegt',
    signs: 'Signiert ab',
    retires: 'Prüft bis',
    rotate: 'Wechseln',
    rotateTitle: 'Signaturschlüssel wechseln',
    rotateText:
      'Ein neuer Schlüssel wird sofort veröffentlicht und signiert, sobald alle Prüfer ihn gelesen haben können. Der bisherige prüft, bis sein letztes Token abgelaufen ist. Niemand wird abgemeldet.',
    immediate: 'Der Schlüssel ist bekannt geworden',
    immediateText:
      'Der neue Schlüssel signiert sofort, und jedes Zugangstoken in Gebrauch wird abgewiesen. Sitzungen holen sich selbst neue.',
    more: 'Frühere Schlüssel',
  },
});
