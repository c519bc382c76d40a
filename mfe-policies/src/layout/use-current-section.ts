import { useEffect, useState } from 'react';

/** The last section that begins in the window's upper third or above it; null before the first one. */
export function useCurrentSection(ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  const key = ids.join(' ');
  useEffect(() => {
    // Old browsers, and tests, have none.
    if (!('IntersectionObserver' in window)) return undefined;
    const sections = key.split(' ').flatMap((id) => document.getElementById(id) ?? []);
    const visible = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) visible[isIntersecting ? 'add' : 'delete'](target);
        setCurrent(sections.filter((section) => visible.has(section)).at(-1)?.id ?? null);
      },
      // All that is above the window's lower two thirds, however far a jump goes.
      { rootMargin: '999999px 0px -66% 0px' },
    );
    sections.forEach((section) => observer.observe(section));
    return () => observer.disconnect();
  }, [key]);
  return current;
}
