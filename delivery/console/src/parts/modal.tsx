import { useEffect, useRef, type ReactNode } from 'react';
import styles from './modal.module.css';

interface ModalProps {
  title: string;
  /** Asked to close: Escape, or the button. */
  onClose: () => void;
  children: ReactNode;
}

/** A dialog over the view. The platform keeps the focus in it, and gives it back when it closes. */
export function Modal({ title, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    // Gone from the page, a dialog does not give the focus back by itself.
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (!(before instanceof HTMLElement)) return;
      // What opened it may be gone, by the very change that was made in it: then the view begins again.
      const back = before.isConnected ? before : document.querySelector<HTMLElement>('main h1');
      back?.focus();
    };
  }, []);
  useEffect(() => {
    // What had the focus may be gone, as a button is once it was pressed: the next step begins at the title.
    if (document.activeElement === document.body) heading.current?.focus();
  });
  return (
    <dialog
      ref={dialog}
      className={styles.modal}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.top}>
        <h2 className={styles.title} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" className={styles.close} onClick={onClose} aria-label="Close">
          <span aria-hidden="true">×</span>
        </button>
      </div>
      {children}
    </dialog>
  );
}
