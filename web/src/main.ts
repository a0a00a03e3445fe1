// The page's entry. Imports the whole of it.

import "./app.ts";
import "./cards/card.ts";
import { serve } from "./ui/install.ts";
import { tokens } from "./ui/tokens.ts";

if (tokens.styleSheet) document.adoptedStyleSheets = [tokens.styleSheet];
document.body.append(document.createElement("sayso-app"));
void serve();
