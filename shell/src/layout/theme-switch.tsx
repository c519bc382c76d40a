import { useSyncExternalStore } from 'react';
import { ToggleGroup } from '@site/ui/toggle-group';
import { LayoutIcon, type LayoutIconName } from './layout-icon.tsx';
import { chooseTheme, readTheme, subscribeToTheme, type Theme } from './theme.ts';
import styles from './theme-switch.module.css';

const themes: { value: Theme; name: string; icon: LayoutIconName }[] = [
  { value: 'system', name: 'System', icon: 'system' },
  { value: 'light', name: 'Light', icon: 'sun' },
  { value: 'dark', name: 'Dark', icon: 'moon' },
];

const options = themes.map(({ value, name, icon }) => ({
  value,
  label: (
    <>
      <LayoutIcon name={icon} />
      <span className="visually-hidden">{name}</span>
    </>
  ),
}));

/** Light, dark or system. Hidden without JavaScript, because it cannot work. */
export function ThemeSwitch() {
  const theme = useSyncExternalStore(subscribeToTheme, readTheme, () => 'system' as const);
  return (
    <ToggleGroup
      label="Theme"
      className={styles.switch}
      value={theme}
      options={options}
      onChange={chooseTheme}
    />
  );
}
