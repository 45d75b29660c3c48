// The entry of the script that the page runs first; a file of its own so that tests can load start.ts.
import { startEarly, type FirstFiles } from "./start";

/** Put here by build/start-script.ts. */
declare const __FIRST_FILES__: FirstFiles;

startEarly(__FIRST_FILES__, window.location);
