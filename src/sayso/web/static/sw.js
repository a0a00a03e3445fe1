"use strict";(()=>{self.addEventListener("install",()=>{self.skipWaiting()});})();
