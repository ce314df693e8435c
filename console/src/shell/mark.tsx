import type { ReactNode } from 'react';

export function Mark(): ReactNode {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden>
      <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
      <path d="M9 11.5h14M9 16h9M9 20.5h14" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
      <circle cx="22.3" cy="16" r="1.9" fill="#fff" />
    </svg>
  );
}
