import { today } from '../../../shared/lib/days';
import { DownloadButton } from '../../ui/DownloadButton';
import { useDownloadAuditLogMutation, type AuditLogFilters } from './exportApi';

/** Saves every row that matches, also those of other pages, as a file for spreadsheets. */
export function ExportButton({ filters }: { filters: AuditLogFilters }) {
  const [download, { isLoading, error }] = useDownloadAuditLogMutation();
  return (
    <DownloadButton
      fileName={`tombola-activity-${today()}.csv`}
      fetchFile={() => download(filters)}
      isLoading={isLoading}
      error={error}
    >
      Export CSV
    </DownloadButton>
  );
}
