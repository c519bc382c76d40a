import type { ReactNode } from 'react';
export function Layout({ children }: { children: ReactNode }) { return <div><header>stub</header><main>{children}</main></div>; }
