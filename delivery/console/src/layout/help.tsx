import { CheckboxGroup } from '@site/ui/choice-group';
import { DataTable } from '@site/ui/data-table';
import { Modal } from '../parts/modal.tsx';
import { places } from './places.ts';

interface HelpProps {
  hasShortcuts: boolean;
  onShortcuts: (isOn: boolean) => void;
  onClose: () => void;
}

export function Help({ hasShortcuts, onShortcuts, onClose }: HelpProps) {
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
      <DataTable caption="Keys" columns={['Key', 'Action']} rows={rows} compact />
      <CheckboxGroup
        label="Keyboard shortcuts"
        hint="Turn them off if speech input or slips trigger them. Esc always works."
        name="shortcuts"
        options={[{ value: 'on', label: 'On in this browser' }]}
        value={hasShortcuts ? ['on'] : []}
        onChange={(chosen) => onShortcuts(chosen.length > 0)}
      />
      <p>
        The command line can do everything that the console can: <code>npx @site/cli --help</code>
      </p>
    </Modal>
  );
}
