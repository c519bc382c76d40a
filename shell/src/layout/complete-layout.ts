import { deferLayout } from './defer-layout.ts';
import { mainId } from './main-id.ts';

/** Completes the layout, one part per frame: all of them are a long task on a slow phone. */
export function completeLayout(): void {
  const main = document.getElementById(mainId);
  const parts = [...(main?.children ?? []), ...(main?.parentElement?.children ?? [])] as HTMLElement[];
  const deferred = parts.filter((part) => getComputedStyle(part).contentVisibility === 'auto');
  const setAll = (value: string) => deferred.forEach((part) => (part.style.contentVisibility = value));
  let shown = 0;
  const next = () => {
    const part = deferred[shown++];
    if (part) {
      part.style.contentVisibility = 'visible';
      requestAnimationFrame(next);
    } else {
      deferLayout(false);
      setAll('');
    }
  };
  next();
}
