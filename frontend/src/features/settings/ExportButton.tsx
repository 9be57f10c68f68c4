import { asApiError } from '../../shared/api/apiError';
import { today } from '../../shared/lib/days';
import { Button } from '../../shared/ui/console/Button';
import { Icon } from '../../shared/ui/console/Icon';
import { useDownloadAuditLogMutation, type AuditLogFilters } from './exportApi';
import { saveFile } from './saveFile';

/** Saves every row that matches, also those of other pages, as a file for spreadsheets. */
export function ExportButton({ filters }: { filters: AuditLogFilters }) {
  const [download, { isLoading, error }] = useDownloadAuditLogMutation();

  async function save() {
    const { data } = await download(filters);
    if (data !== undefined) saveFile(`tombola-activity-${today()}.csv`, data);
  }

  return (
    <>
      <p className="stale" role="status">
        {error && `Not exported. ${asApiError(error).sentence}`}
      </p>
      <Button busy={isLoading} onClick={() => void save()}>
        <Icon name="table" />
        {isLoading ? 'Exporting...' : 'Export CSV'}
      </Button>
    </>
  );
}
