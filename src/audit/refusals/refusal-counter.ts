import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { Database, GroupedStatement } from '../../platform/database/index.js';
import type { AuditEvent } from '../audit-entry.js';
import { chainOf } from '../audit-entry.js';
import { RefusalRepository } from './refusal.repository.js';
import type { CountedRefusals } from './refusal.repository.js';

/**
 * Counts the refusals that anyone can cause without limit: one row for each minute, kind and source. Refusals at about
 * the same time share one statement.
 */
@Injectable()
export class RefusalCounter {
  private readonly refusals = new RefusalRepository();
  private readonly adding: GroupedStatement<AuditEvent, null>;

  constructor(private readonly database: Database) {
    this.adding = new GroupedStatement((events) => this.add(events));
  }

  async count(event: AuditEvent): Promise<void> {
    await this.adding.run(event);
  }

  private async add(events: readonly AuditEvent[]): Promise<null[]> {
    const counted = new Map<string, CountedRefusals>();
    for (const event of events) {
      const [chainId, source] = [chainOf(event), sourceOf(event)];
      const key = JSON.stringify([chainId, event.action, source]);
      const first = counted.get(key) ?? { chainId, action: event.action, source, event, count: 0 };
      counted.set(key, { ...first, count: first.count + 1 });
    }
    await this.refusals.add(this.database.autoCommit, [...counted.values()]);
    return events.map(() => null);
  }
}

/** Who was refused: a caller or, if anonymous, a network. */
function sourceOf({ actor, origin }: AuditEvent): string {
  return actor.id === null ? clientNetworkOf(origin?.ip ?? null) : `${actor.type}:${actor.id}`;
}

/** The part of an IPv6 address that a provider assigns to one customer. */
const IPV6_PARTS = 4;

/** The network of an address: an IPv4 address, or the /64 of an IPv6 address; `unknown` for other text. */
export function clientNetworkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const parts = parsed.parts.map((part, index) => (index < IPV6_PARTS ? part : 0));
  return `${new ipaddr.IPv6(parts).toString()}/64`;
}
