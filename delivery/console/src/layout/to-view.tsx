import { Link, NavLink } from '@site/kit';
import type { ReactNode } from 'react';
import { useConsole } from '../data/use-console.ts';

export function useAddress(): (path: string, query?: Record<string, string>) => string {
  const { channel } = useConsole();
  return (path, query = {}) => {
    const search = new URLSearchParams(query);
    if (channel !== 'production') search.set('channel', channel);
    return search.size === 0 ? path : `${path}?${search.toString()}`;
  };
}

interface ToViewProps {
  path: string;
  query?: Record<string, string>;
  isPlace?: boolean;
  children: ReactNode;
}

export function ToView({ path, query, isPlace = false, children }: ToViewProps) {
  const to = useAddress()(path, query);
  const Anchor = isPlace ? NavLink : Link;
  return <Anchor to={to}>{children}</Anchor>;
}

export function ToApp({ app }: { app: string }) {
  return <ToView path={`/apps/${encodeURIComponent(app)}`}>{app}</ToView>;
}
