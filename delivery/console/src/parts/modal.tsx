import { useEffect, useRef, type ReactNode } from 'react';
import styles from './modal.module.css';

interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

export function Modal({ title, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    // Browsers do not restore the focus when a dialog is removed from the page.
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (!(before instanceof HTMLElement)) return;
      // The change may have removed the button that opened it: then focus the view.
      const back = before.isConnected ? before : document.querySelector<HTMLElement>('main h1');
      back?.focus();
    };
  }, []);
  useEffect(() => {
    // The focused element may have disappeared: focus the title of the next step.
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
