type Listener = () => void;

const listeners = new Set<Listener>();
let isLost = !navigator.onLine;

function become(next: boolean): void {
  if (next === isLost) return;
  isLost = next;
  for (const listener of listeners) listener();
}

globalThis.addEventListener('offline', () => {
  become(true);
});
globalThis.addEventListener('online', () => {
  become(false);
});

/** Whether the service could be reached when this tab last asked; what is shown then stays, and may be old. */
export const connection = {
  /** Told of each answer, and of each request that got none. */
  heard: (hasAnswered: boolean): void => {
    become(!hasAnswered);
  },
  read: (): boolean => isLost,
  subscribe: (listener: Listener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
