const paths = {
  chart: 'M3 13.5h10M4.5 11V8M8 11V3.5M11.5 11V6',
  sliders: 'M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M10.2 3.3v3.4M5.8 9.3v3.4',
  ticket: 'M2.5 4.5h11v2a1.5 1.5 0 0 0 0 3v2h-11v-2a1.5 1.5 0 0 0 0-3zM9.5 6.5v3',
  message: 'M2.5 3.5h11V11H8l-3 2.5V11H2.5z',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.7a2.5 2.5 0 0 1 0 4.6M12 9.8c1.6.6 2.5 1.9 2.5 3.7',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5V5h-2.5',
  pause: 'M6 4v8M10 4v8',
  play: 'M5.5 3.5v9l7-4.5z',
  list: 'M2.5 4.5 4 6l2-3M8.5 4.5h5M2.5 10.5 4 12l2-3M8.5 10.5h5',
  leave: 'M6.5 3H3.5v10h3M7 8h6.5M11 5.5 13.5 8 11 10.5',
  external: 'M6.5 3.5h-3v9h9v-3M9 3h4v4M13 3 7.5 8.5',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6',
};

/** Beside words, never instead of them. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
