import { Component, type ReactNode } from 'react';

interface OrElseProps {
  fallback: ReactNode;
  children: ReactNode;
}

/** Error boundary for one part of a view, also for scripts that fail to load. */
export class OrElse extends Component<OrElseProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
