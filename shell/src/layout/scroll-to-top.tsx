import { useEffect, useState } from 'react';
import { LayoutIcon } from './layout-icon.tsx';
import { mainId } from './main-id.ts';
import styles from './scroll-to-top.module.css';

/** Hidden up to this scroll position in pixels (specification, section 9). */
const HIDDEN_UP_TO_PX = 200;

export function ScrollToTop() {
  const [visible, setVisible] = useState(false);

  useEffect(() => {
    const update = () => {
      setVisible(window.scrollY > HIDDEN_UP_TO_PX);
    };
    update();
    window.addEventListener('scroll', update, { passive: true });
    return () => {
      window.removeEventListener('scroll', update);
    };
  }, []);

  const toTop = () => {
    const reduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    window.scrollTo({ top: 0, behavior: reduced ? 'auto' : 'smooth' });
    // The button is about to hide, so the focus follows the visitor.
    document.getElementById(mainId)?.focus({ preventScroll: true });
  };

  return (
    <button
      type="button"
      className={styles.button}
      hidden={!visible}
      onClick={toTop}
      aria-label="Scroll to top"
    >
      <LayoutIcon name="arrow-up" />
    </button>
  );
}
