import { DataTable } from '@site/ui/data-table';
import { Modal } from '../parts/modal.tsx';
import { places } from './places.ts';

/** The keys. */
export function Help({ onClose }: { onClose: () => void }) {
  const rows = [
    ...places.map(({ key, name }) => [
      <span key={key}>
        <kbd>g</kbd> <kbd>{key}</kbd>
      </span>,
      `Go to ${name}`,
    ]),
    [<kbd key="/">/</kbd>, 'Search apps, versions, releases and people'],
    [<kbd key="?">?</kbd>, 'This help'],
    [<kbd key="Escape">Esc</kbd>, 'Close what is open'],
  ];
  return (
    <Modal title="Help" onClose={onClose}>
      <DataTable caption="Keys" columns={['Key', 'What it does']} rows={rows} compact />
      <p>
        The command line can do everything that the console can: <code>npx site --help</code>
      </p>
    </Modal>
  );
}
