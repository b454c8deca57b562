import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './tabs.module.css';

/** A tab; `count` is said after the label. */
export interface TabEntry {
  id: string;
  label: string;
  count?: string | undefined;
  /** Whether it asks for attention. */
  isAlarm?: boolean;
}

/** Tabs over one panel, whose content is that of the selected tab. Many tabs scroll inside their row. */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: {
  label: string;
  tabs: readonly TabEntry[];
  selected: string;
  onSelect: (id: string) => void;
  children: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // React Aria restores the position of the row when a tab gets the focus, after it has been selected.
    const frame = requestAnimationFrame(() => {
      const tab = list.current?.querySelector('[aria-selected="true"]');
      tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [selected]);
  return (
    <AriaTabs
      selectedKey={selected}
      keyboardActivation="manual"
      onSelectionChange={(id) => {
        if (id !== selected) onSelect(String(id));
      }}
    >
      <TabList ref={list} aria-label={label} className={styles['list'] ?? ''}>
        {tabs.map(({ id, label: text, count, isAlarm = false }) => (
          <Tab
            key={id}
            id={id}
            className={styles['tab'] ?? ''}
            {...(isAlarm && { 'data-alarm': true })}
            data-tab={id}
          >
            {text}
            {count !== undefined && <span className={styles['count']}>{count}</span>}
          </Tab>
        ))}
      </TabList>
      <TabPanel id={selected} className={styles['panel'] ?? ''}>
        {children}
      </TabPanel>
    </AriaTabs>
  );
}
