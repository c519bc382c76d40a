import { Component, Fragment, type ReactNode } from 'react';
import { SectionFaultContext } from './site-context.ts';

/** A section that fails more often is broken, and would otherwise be rendered in an endless loop. */
const MOST_REPAIRS = 10;

/**
 * Keeps the rest of the page alive when a section fails. Translators and browser extensions move text nodes that React
 * then cannot find; such a section is rendered again, with new elements. After any other error `fallback` replaces it;
 * without one the error goes to the boundary above.
 */
export class SectionBoundary extends Component<{ children: ReactNode; fallback?: ReactNode }> {
  static override contextType = SectionFaultContext;
  declare context: (error: unknown) => void;
  override state = { repairs: 0, isBroken: false };

  override componentDidCatch(error: unknown) {
    const { repairs } = this.state;
    const isForeign = (error as { name?: unknown } | null)?.name === 'NotFoundError';
    if (isForeign && repairs < MOST_REPAIRS) this.setState({ repairs: repairs + 1 });
    else if (this.props.fallback === undefined) throw error;
    else this.setState({ isBroken: true });
    this.context(error);
  }

  override render() {
    const { repairs, isBroken } = this.state;
    return isBroken ? this.props.fallback : <Fragment key={repairs}>{this.props.children}</Fragment>;
  }
}
