import type { Invitation } from '../../../../client/src/index.js';
import { table } from '../../table.js';
import { sanitizeForTerminal } from '../../terminal.js';
import type { Colour, Terminal } from '../../terminal.js';
import type { ServerOptions } from '../session/connection.js';
import { connectToOrganization, named } from './organization.js';
import { refuseWithoutConsent } from '../session/prompts.js';

const PAGE = 100;

const COLUMNS = [
  { heading: 'EMAIL', shortens: true },
  { heading: 'ROLE' },
  { heading: 'STATUS' },
  { heading: 'EXPIRES', leftOut: 2 },
  { heading: 'ID', leftOut: 1 },
] as const;

const STATUS_COLOURS: Readonly<Record<Invitation['status'], Colour>> = {
  pending: 'yellow',
  accepted: 'green',
  revoked: 'dim',
  replaced: 'dim',
  expired: 'dim',
};

export async function listInvitations(terminal: Terminal, server: ServerOptions): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  const invitations = await client.invitations.list({ org, limit: PAGE }).all();
  const rows = invitations.map(({ email, role, status, expires_at, id }) => [
    email,
    role,
    { text: status, colour: STATUS_COLOURS[status] },
    terminal.instant(expires_at),
    id,
  ]);
  terminal.result(
    invitations,
    rows.length === 0 ? 'There are no invitations.' : table(terminal, COLUMNS, rows),
  );
}

export interface InvitationOptions extends ServerOptions {
  readonly role: string;
  readonly redirectTo?: string;
}

/** Without a mail the link is in the answer; it is the invitation, so it goes to the invited person alone. */
export async function invite(
  terminal: Terminal,
  email: string,
  { role, redirectTo, ...server }: InvitationOptions,
): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  const invitation = await client.invitations.create({ email, role, redirect_to: redirectTo }, { org });
  const until = terminal.instant(invitation.expires_at);
  const invited = `Invited ${sanitizeForTerminal(invitation.email)} to ${org} as ${invitation.role}, until ${until}.`;
  if (invitation.link === undefined) {
    terminal.result(invitation, invited);
    return;
  }
  terminal.advise(`${invited} No mail was sent: give them this link.`);
  terminal.result(invitation, sanitizeForTerminal(invitation.link));
}

export async function revokeInvitation(
  terminal: Terminal,
  reference: string,
  { yes, ...server }: ServerOptions & { yes?: boolean },
): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  const pending = (await client.invitations.list({ org, limit: PAGE }).all()).filter(
    ({ status }) => status === 'pending',
  );
  const invitation = named(pending, reference, 'pending invitation of', (one) => [one.email, one.id]);
  const { id, email } = invitation;
  await refuseWithoutConsent(terminal, yes, `Revoke the invitation of ${email}?`, 'say --yes to revoke it');
  await client.invitations.revoke(id, { org });
  terminal.result({ id, email, revoked: true }, `Revoked the invitation of ${sanitizeForTerminal(email)}.`);
}
