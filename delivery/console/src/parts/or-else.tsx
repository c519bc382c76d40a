import { Component, type ReactNode } from 'react';

interface OrElseProps {
  /** Shown instead of what cannot be shown. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Keeps a part that fails, or whose script cannot be fetched, from taking the view with it. */
export class OrElse extends Component<OrElseProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
