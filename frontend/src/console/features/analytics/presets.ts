import { daysBefore, today } from '../../../shared/lib/days';

/** Preset ranges. The server's default is the last 30 days. */
export function presets() {
  const endDate = today();
  return [
    { label: 'Today', startDate: endDate, endDate },
    { label: '7 days', startDate: daysBefore(endDate, 6), endDate },
    { label: '30 days', startDate: '', endDate: '' },
    { label: '90 days', startDate: daysBefore(endDate, 89), endDate },
  ];
}
