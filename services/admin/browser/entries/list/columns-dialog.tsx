import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { useMessages, type MessageKey } from '../../locales/messages.js';
import { Button } from '../../ui/button.js';
import { Checkbox } from '../../ui/checkbox.js';
import { Dialog } from '../../ui/dialog.js';
import { IconButton } from '../../ui/icon-button.js';
import styles from './columns-dialog.module.css';
import { columnFieldsOf, maxFieldColumns, systemColumns } from './list-columns.js';
import { useListContext } from './list-context.js';

/** Selects the columns of the table and their order. The selected ones come first. */
export function ColumnsDialog({
  selected,
  onApply,
  onClose,
}: {
  selected: readonly string[];
  /** @param columns undefined for the default ones */
  onApply: (columns: string[] | undefined) => void;
  onClose: () => void;
}) {
  const t = useMessages();
  const { collection } = useListContext();
  const fields = new Map(columnFieldsOf(collection).map((field) => [field.slug, field]));
  const [chosen, setChosen] = useState(selected);
  const all = [...systemColumns.filter((id) => id !== '_deleted'), ...fields.keys()];
  const ordered = [...chosen, ...all.filter((id) => !chosen.includes(id))];
  const hasMaxFields = chosen.filter((id) => fields.has(id)).length >= maxFieldColumns;
  const labelOf = (id: string) => fields.get(id)?.label ?? t(`column.${id.slice(1)}` as MessageKey);
  const move = (index: number, by: number) => {
    const next = [...chosen];
    next.splice(index + by, 0, ...next.splice(index, 1));
    setChosen(next);
  };
  return (
    <Dialog title={t('columns.title')} isSheet onClose={onClose}>
      <p>{t('columns.explanation', { max: maxFieldColumns })}</p>
      <ul className={styles['columns']} aria-label={t('columns.title')}>
        {ordered.map((id) => {
          const index = chosen.indexOf(id);
          const label = labelOf(id);
          return (
            <li key={id}>
              <Checkbox
                isChecked={index >= 0}
                isDisabled={index < 0 && fields.has(id) && hasMaxFields}
                onChange={(isChecked) =>
                  setChosen(isChecked ? [...chosen, id] : chosen.filter((each) => each !== id))
                }
              >
                {label}
              </Checkbox>
              {index > 0 && (
                <IconButton label={t('columns.up', { label })} onPress={() => move(index, -1)}>
                  <ArrowUp aria-hidden size={16} />
                </IconButton>
              )}
              {index >= 0 && index < chosen.length - 1 && (
                <IconButton label={t('columns.down', { label })} onPress={() => move(index, 1)}>
                  <ArrowDown aria-hidden size={16} />
                </IconButton>
              )}
            </li>
          );
        })}
      </ul>
      <div className="actions">
        <Button isMain onPress={() => onApply([...chosen])}>
          {t('columns.apply')}
        </Button>
        <Button onPress={() => onApply(undefined)}>{t('columns.default')}</Button>
        <Button onPress={onClose}>{t('dialog.cancel')}</Button>
      </div>
    </Dialog>
  );
}
