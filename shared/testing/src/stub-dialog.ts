/** jsdom has `<dialog>` without its methods: as much of them as a test can see. Restored by the returned function. */
export function stubDialog(): () => void {
  const { prototype } = HTMLDialogElement;
  Object.assign(prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      if (!this.open) return;
      this.open = false;
      this.dispatchEvent(new Event('close'));
    },
  });
  return () => {
    Reflect.deleteProperty(prototype, 'showModal');
    Reflect.deleteProperty(prototype, 'close');
  };
}
