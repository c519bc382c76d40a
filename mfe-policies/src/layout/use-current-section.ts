import { useEffect, useState } from 'react';

/** The section at the top of the window, or the last one that was there; null before hydration. */
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
        const first = sections.find((section) => visible.has(section));
        if (first) setCurrent(first.id);
      },
      // Below the fixed header, in the upper third.
      { rootMargin: '-80px 0px -66% 0px' },
    );
    sections.forEach((section) => observer.observe(section));
    return () => observer.disconnect();
  }, [key]);
  return current;
}
