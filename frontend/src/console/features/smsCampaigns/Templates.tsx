import { useId, useState } from 'react';
import { useListSmsTemplatesQuery, type SmsTemplateView } from '../../api/sms';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { anyText, useListState } from '../../lib/useListState';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { DataList } from '../../ui/DataList';
import { SearchField } from '../../ui/SearchField';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { TableNotes } from '../../ui/TableNotes';
import { TemplateForm } from './TemplateForm';
import { TemplateItem } from './TemplateItem';

/** From here on a list gets a search. */
const LONG = 10;

export function Templates() {
  const list = useListState({ filters: { search: anyText } });
  const { limit, offset, filters } = list;
  const templates = useListSmsTemplatesQuery({ ...filters, limit, offset });
  const isLong = (templates.data?.totalCount ?? 0) > LONG;
  const mayChange = useMay('manage_texts');
  const [isAdding, setAdding] = useState(false);
  const part = useKeptFocus();
  return (
    <div className="grid" {...part}>
      {isAdding && (
        <Card title="New template">
          <TemplateForm onClose={() => setAdding(false)} />
        </Card>
      )}
      <DataList
        title="Templates"
        note="Messages for campaigns, newest first"
        actions={
          mayChange && !isAdding && <Button onClick={() => setAdding(true)}>New Template</Button>
        }
        filters={
          (isLong || list.isFiltered) && (
            <SearchField label="Find a template" maxLength={80} list={list} />
          )
        }
        query={templates}
        holdsForm
        pageOf={(answer) => ({ rows: answer.templates, total: answer.totalCount })}
        list={list}
        label="templates"
        empty={
          <EmptyState title="No templates yet">
            {mayChange
              ? 'Create one to use it in a campaign.'
              : 'Messages for campaigns appear here.'}
          </EmptyState>
        }
        caption="Templates"
        columns={explained}
        rowKey={({ id }) => id}
      >
        {({ rows }) => <Items rows={rows} />}
      </DataList>
    </div>
  );
}

function Items({ rows }: { rows: SmsTemplateView[] }) {
  const id = useId();
  return (
    <>
      <ul className="sms-templates">
        {rows.map((template) => (
          <TemplateItem key={template.id} template={template} />
        ))}
      </ul>
      <TableNotes id={id} caption="Templates" columns={explained} title="What the terms mean" />
    </>
  );
}

const nothing = () => null;

/** The items are no table: these explain their terms. */
const explained: Column<SmsTemplateView>[] = [
  {
    key: 'segments',
    header: 'Segment',
    cell: nothing,
    help: 'A part of a text. A long text takes several, and the provider charges for each.',
  },
  {
    key: 'encoding',
    header: 'GSM-7, UCS-2',
    cell: nothing,
    help: 'The alphabet of the text. A segment holds 160 characters in GSM-7; characters outside it switch the text to UCS-2, with 70.',
  },
  { key: 'created', header: 'Created', time: true, cell: nothing },
];
