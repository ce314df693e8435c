import { sign as signLikeGithub } from '@octokit/webhooks-methods';
import slackBolt from '@slack/bolt';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';

/** The headers, in lower case, that a provider would send with this body at this time. */
export type SigningProvider = (secret: string, body: string, at: Date) => Promise<Record<string, string>>;

export const STANDARD_SECRET = `whsec_${Buffer.from('a key of thirty-two random bytes').toString('base64')}`;

export const githubHeaders: SigningProvider = async (secret, body) => ({
  'x-hub-signature-256': await signLikeGithub(secret, body),
});

export const stripeHeaders: SigningProvider = (secret, payload, at) => {
  const timestamp = Math.floor(at.getTime() / 1000);
  const { webhooks } = new Stripe('sk_test_none');
  const signature = webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return Promise.resolve({ 'stripe-signature': signature });
};

/**
 * Slack's library can only verify. Signatures are computed here as its documentation says, and must pass the library's
 * check.
 */
export const slackHeaders: SigningProvider = (secret, body, at) => {
  const timestamp = Math.floor(at.getTime() / 1000);
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = { 'x-slack-signature': `v0=${digest}`, 'x-slack-request-timestamp': timestamp };
  slackBolt.verifySlackRequest({ signingSecret: secret, body, headers, nowMilliseconds: at.getTime() });
  return Promise.resolve({ ...headers, 'x-slack-request-timestamp': String(timestamp) });
};

export const standardHeadersOf =
  (id: string): SigningProvider =>
  (secret, body, at) =>
    Promise.resolve({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    });
