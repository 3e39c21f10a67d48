# Makes the workbooks of this folder: the same 25 orders, by three spreadsheet programs' own writers.
# Needs python3-openpyxl, python3-xlsxwriter and LibreOffice: /usr/bin/python3 make.py FOLDER
import csv, datetime, os, subprocess, sys
import openpyxl, xlsxwriter

folder = sys.argv[1]
languages = """French German Spanish Italian Japanese Korean Polish Dutch Swedish Danish Finnish Norwegian Czech Greek
 Hungarian Portuguese Turkish Thai Ukrainian Romanian français Deutsch español italiano svenska""".split()
territories = """France Germany Spain Italy Japan South_Korea Poland Netherlands Sweden Denmark Finland Norway Czechia Greece
 Hungary Portugal Türkiye Thailand Ukraine Romania FR Deutschland España Italia Sverige""".split()
titles = ["The Harbor Light – Trailer A"] * 20 + ["The Harbor Light – Trailer B"] * 5
dates = [datetime.date(2031, 12, 12), "12/12/2031", "12 Dec 2031", "2031-12-12", "1.12.2031"]
heads = ["Title", "Language", "Territory", "Due", "Notes"]
rows = [[titles[i], languages[i], territories[i].replace("_", " "), dates[i % 5], f"Line {i + 1}"] for i in range(25)]

def typed(path, write, date):
    for at, text in enumerate(heads): write(2, at, text)
    for line, row in enumerate(rows):
        for at, value in enumerate(row):
            (date if isinstance(value, datetime.date) else write)(line + 3, at, value)

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Spring"
sheet["A1"] = "Orders for spring"
def put(line, at, value): sheet.cell(line + 1, at + 1, value)
typed(folder, put, put)
book.save(os.path.join(folder, "openpyxl.xlsx"))

book = xlsxwriter.Workbook(os.path.join(folder, "xlsxwriter.xlsx"))
sheet = book.add_worksheet("Spring")
sheet.write(0, 0, "Orders for spring")
form = book.add_format({"num_format": "dd.mm.yyyy"})
typed(folder, sheet.write, lambda line, at, value: sheet.write_datetime(line, at, datetime.datetime.combine(value, datetime.time()), form))
book.close()

with open(os.path.join(folder, "windows.csv"), "w", encoding="cp1252", newline="") as file:
    writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
    writer.writerow(heads)
    writer.writerows([[value.strftime("%d.%m.%Y") if isinstance(value, datetime.date) else value for value in row] for row in rows])

subprocess.run(["soffice", "--headless", "--convert-to", "ods", "--outdir", folder, os.path.join(folder, "openpyxl.xlsx")], check=True, stdout=subprocess.DEVNULL)
os.rename(os.path.join(folder, "openpyxl.ods"), os.path.join(folder, "libreoffice.ods"))
subprocess.run(["soffice", "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", folder, os.path.join(folder, "libreoffice.ods")], check=True, stdout=subprocess.DEVNULL)
os.remove(os.path.join(folder, "libreoffice.ods"))
