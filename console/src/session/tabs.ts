export interface Tabs {
  tell(message: string): void;
  close(): void;
}

/** The other tabs of the console in this browser. */
export function openTabs(name: string, hear: (message: string) => void): Tabs {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') hear(data);
  };
  return {
    tell: (message) => {
      channel.postMessage(message);
    },
    close: () => {
      channel.close();
    },
  };
}
