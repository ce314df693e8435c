import { defineTexts } from '../../text/i18n.js';

export const useWebhookText = defineTexts('webhook', {
  en: {
    title: 'Webhook',
    address: 'Address for the provider',
    addressHint: '{{method}}, signed in the header {{header}} with the secret {{secret}}.',
    setSecret: 'Set the secret',
    replaceSecret: 'Replace the secret',
    missing: 'The secret {{path}} is not set yet. Calls are refused until it is.',
    present: 'The secret {{path}} was set',
    sampleAbout:
      'Send a sample: this page signs it as the provider would, with the secret that you set or paste. The secret is not kept.',
    cannotSign: 'Browsers sign only on pages over HTTPS or on this machine.',
    secret: 'Secret of the provider',
    body: 'Body',
    send: 'Send a signed sample',
    arrived: 'It arrived and was accepted as the run',
  },
  de: {
    title: 'Webhook',
    address: 'Adresse für den Anbieter',
    addressHint: '{{method}}, signiert im Header {{header}} mit dem Geheimnis {{secret}}.',
    setSecret: 'Geheimnis setzen',
    replaceSecret: 'Geheimnis ersetzen',
    missing: 'Das Geheimnis {{path}} ist noch nicht gesetzt. Bis dahin werden Aufrufe abgewiesen.',
    present: 'Das Geheimnis {{path}} wurde gesetzt',
    sampleAbout:
      'Senden Sie ein Beispiel: Diese Seite signiert es wie der Anbieter, mit dem Geheimnis, das Sie setzen oder einfügen. Es wird nicht aufbewahrt.',
    cannotSign: 'Browser signieren nur auf Seiten über HTTPS oder auf diesem Rechner.',
    secret: 'Geheimnis des Anbieters',
    body: 'Inhalt',
    send: 'Signiertes Beispiel senden',
    arrived: 'Es kam an und wurde angenommen als Lauf',
  },
});
