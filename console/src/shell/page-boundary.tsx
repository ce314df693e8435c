import { Component, Suspense } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { PageSkeleton } from '../parts/page.js';
import { Broken } from './broken.js';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

/** Shows that something is broken in place of what failed. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override readonly state = { hasFailed: false };

  override render(): ReactNode {
    return this.state.hasFailed ? <Broken /> : this.props.children;
  }
}

/** Waits for the files of a page, and keeps the frame around one that fails. The next page starts afresh. */
export function PageBoundary({ children }: { children: ReactNode }): ReactNode {
  const { pathname } = useLocation();
  return (
    <Suspense fallback={<PageSkeleton />}>
      <ErrorBoundary key={pathname}>{children}</ErrorBoundary>
    </Suspense>
  );
}
