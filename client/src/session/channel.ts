/** The part of the platform's `BroadcastChannel` that is used here. Its types differ between browsers and Node.js. */
export interface Channel {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  /** Node.js only: allows the process to exit. */
  unref?(): void;
}

/**
 * Opens a channel among the programs of an origin that use this name (https://html.spec.whatwg.org/multipage/
 * web-messaging.html#broadcasting-to-other-browsing-contexts). @returns null where the platform has none
 */
export function openChannel(name: string, hear: (message: unknown) => void): Channel | null {
  const { BroadcastChannel } = globalThis as unknown as { BroadcastChannel?: new (name: string) => Channel };
  if (BroadcastChannel === undefined) return null;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => {
    hear(data);
  };
  channel.unref?.();
  return channel;
}
